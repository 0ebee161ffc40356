import type { Message } from '@waystation/protocol/session/message.ts'
import { clsx } from 'clsx'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useHovers } from '#components/browser/use-media.ts'
import { useRowHighlight } from '#components/session/store/row-highlight.ts'
import { IconButton } from '#components/ui/button.tsx'
import { MoreIcon } from '#components/ui/icons.tsx'
import { Menu, MenuItem } from '#components/ui/menu.tsx'
import { TurnQuestion } from './turn-question.tsx'
import { useTurnActs } from './use-turn-acts.ts'

/** The number of actions that are buttons. The others are in a menu. */
const most = 3

/**
 * The actions on a turn. `row` is the key of the row that contains them.
 *
 * - The first ones are buttons that appear while the pointer is over the row or one of them has the focus. A menu beside
 *   them has the others.
 * - Each row is one Tab stop, and the arrow keys move between its buttons.
 * - On devices without hover, all are in the menu.
 * - Deleting a turn asks first. So does a rerun that removes later turns or cancels calls.
 *
 * They are below the message, in the space before the next row. A user's message has them at its lower edge.
 *
 * Many rows have these actions, so icons and the menu are rendered when they become visible.
 */
export function TurnActions({ row, message }: { row: string; message: Message }) {
  const { acts, busy, copied, asked, answer } = useTurnActs(message)
  const hovers = useHovers()
  const isPointedAt = useRowHighlight(mark => mark?.from === 'row' && mark.row === row)
  const [hasFocus, setFocus] = useState(false)
  const isSeen = isPointedAt || hasFocus || busy
  // Then it stays, because the focus comes back to it from a dialog.
  const hasMenu = useRef(false)
  hasMenu.current ||= isSeen || !hovers
  const person = message.role === 'user'
  const label = person ? 'Message actions' : 'Reply actions'
  const buttons = hovers ? acts.slice(0, most) : []
  const size = clsx('min-h-0! min-w-0!', person && hovers ? 'size-[22px]!' : 'size-6!')
  return (
    <>
      <div
        role="toolbar"
        aria-label={label}
        aria-busy={busy}
        data-hook="message-actions"
        onKeyDown={moveFocus}
        onFocus={() => setFocus(true)}
        onBlur={() => setFocus(false)}
        className={clsx(
          'absolute z-10 flex gap-0.5',
          hovers && [
            'pointer-events-none opacity-0',
            'group-hover/row:pointer-events-auto group-hover/row:opacity-100',
            'focus-within:pointer-events-auto focus-within:opacity-100',
            busy && 'opacity-100'
          ],
          !person
            ? 'top-full left-(--gutter) mt-1 -ml-1'
            : hovers
              ? '-right-1 -bottom-3 rounded-sm bg-raised outline outline-line'
              : '-right-2 bottom-[7px]'
        )}
      >
        {buttons.map(({ id, label, Icon, act, disabled }, index) => (
          <IconButton
            key={id}
            label={label}
            data-hook={`message-${id}`}
            tabIndex={index === 0 ? 0 : -1}
            disabled={disabled}
            onClick={act}
            className={`${size} disabled:opacity-40`}
          >
            {isSeen ? <Icon /> : null}
          </IconButton>
        ))}
        {hasMenu.current && acts.length > buttons.length ? (
          <Menu
            align={person ? 'end' : 'start'}
            trigger={
              <IconButton
                label={hovers ? 'More actions' : label}
                data-hook="message-menu"
                tabIndex={hovers ? -1 : 0}
                className={`${size} ${hovers ? '' : 'reach'}`}
              >
                <MoreIcon />
              </IconButton>
            }
          >
            {acts.slice(buttons.length).map(({ id, label, act, disabled }) => (
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
        ) : null}
        <span role="status" className="self-center text-muted">
          {copied ? 'Copied' : ''}
        </span>
      </div>
      {asked === undefined ? null : <TurnQuestion asked={asked} onAnswer={answer} />}
    </>
  )
}

/** Moves the focus between the enabled buttons with the left and right arrow keys, but not in the menu. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (by === 0) return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>(':scope > button:enabled')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  if (at < 0) return
  buttons[(at + by + buttons.length) % buttons.length]?.focus()
  event.preventDefault()
}
