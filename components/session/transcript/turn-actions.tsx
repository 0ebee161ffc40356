import type { Message } from '@waystation/protocol/session/message.ts'
import { clsx } from 'clsx'
import { type KeyboardEvent, useState } from 'react'
import { useHovers } from '#components/browser/use-media.ts'
import { useRowHighlight } from '#components/session/store/row-highlight.ts'
import { IconButton } from '#components/ui/button.tsx'
import { MoreIcon } from '#components/ui/icons.tsx'
import { Menu, MenuItem } from '#components/ui/menu.tsx'
import { TurnQuestion } from './turn-question.tsx'
import { useTurnActs } from './use-turn-acts.ts'

/**
 * The actions on a turn. `row` is the key of the row that contains them.
 *
 * - They are buttons that appear while the pointer is over the row or one of them has the focus.
 * - Each row is one Tab stop, and the arrow keys move between its buttons.
 * - On devices without hover, they are a menu.
 * - Deleting a turn asks first. So does a rerun that removes later turns or cancels calls.
 *
 * They are below the message, in the space before the next row. A user's message has them at its lower edge.
 *
 * Many rows have these actions, so icons are only rendered while they are visible.
 */
export function TurnActions({ row, message }: { row: string; message: Message }) {
  const { acts, busy, copied, asked, answer } = useTurnActs(message)
  const hovers = useHovers()
  const isPointedAt = useRowHighlight(mark => mark?.from === 'row' && mark.row === row)
  const [hasFocus, setFocus] = useState(false)
  const isSeen = isPointedAt || hasFocus || busy
  const person = message.role === 'user'
  const label = person ? 'Message actions' : 'Reply actions'
  return (
    <>
      {hovers ? (
        <div
          role="toolbar"
          aria-label={label}
          aria-busy={busy}
          data-hook="message-actions"
          onKeyDown={moveFocus}
          onFocus={() => setFocus(true)}
          onBlur={() => setFocus(false)}
          className={clsx(
            'pointer-events-none absolute z-10 flex gap-0.5 opacity-0',
            'group-hover/row:pointer-events-auto group-hover/row:opacity-100',
            'focus-within:pointer-events-auto focus-within:opacity-100',
            busy && 'opacity-100',
            person ? 'right-0 -bottom-3 rounded-sm border bg-raised' : 'top-full left-(--gutter) mt-1 -ml-1'
          )}
        >
          {acts.map(({ id, label, Icon, act, disabled }, index) => (
            <IconButton
              key={id}
              label={label}
              data-hook={`message-${id}`}
              tabIndex={index === 0 ? 0 : -1}
              disabled={disabled}
              onClick={act}
              className={clsx('min-h-0! min-w-0! disabled:opacity-40', person ? 'size-[22px]!' : 'size-6!')}
            >
              {isSeen ? <Icon /> : null}
            </IconButton>
          ))}
          <span role="status" className="self-center text-muted">
            {copied ? 'Copied' : ''}
          </span>
        </div>
      ) : (
        <div
          className={clsx(
            'absolute z-10',
            person ? '-right-2 bottom-[7px]' : 'top-full left-(--gutter) mt-0.5 -ml-1'
          )}
        >
          <Menu
            align={person ? 'end' : 'start'}
            trigger={
              <IconButton label={label} data-hook="message-menu" className="reach size-6! min-h-0! min-w-0!">
                <MoreIcon />
              </IconButton>
            }
          >
            {acts.map(({ id, label, act, disabled }) => (
              <MenuItem
                key={id}
                data-hook={`message-${id}`}
                onSelect={act}
                disabled={disabled}
                danger={id === 'delete'}
              >
                {label}
              </MenuItem>
            ))}
          </Menu>
        </div>
      )}
      {asked === undefined ? null : <TurnQuestion asked={asked} onAnswer={answer} />}
    </>
  )
}

/** Moves the focus between the enabled buttons with the left and right arrow keys. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (by === 0) return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button:enabled')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  buttons[(at + by + buttons.length) % buttons.length]?.focus()
  event.preventDefault()
}
