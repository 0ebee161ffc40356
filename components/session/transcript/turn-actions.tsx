'use client'
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

/** `row`: the key of the row that it stands in. */
type TurnActionsProps = { row: string; message: Message; below?: boolean }

/**
 * What can be done to a turn: small buttons that show themselves under the pointer, or when one of them has the focus (one
 * stop of Tab a row, arrows go on from there). Where nothing hovers, a menu has the same. What takes something away
 * that a person may miss asks first. There is one of it in many rows: what is seldom seen is made when it is.
 */
export function TurnActions({ row, message, below = false }: TurnActionsProps) {
  const { acts, busy, copied, asked, answer } = useTurnActs(message)
  const hovers = useHovers()
  const isPointedAt = useRowHighlight(mark => mark?.from === 'row' && mark.row === row)
  const [hasFocus, setFocus] = useState(false)
  const isSeen = isPointedAt || hasFocus || busy
  const label = message.role === 'user' ? 'Message actions' : 'Reply actions'
  const place = below ? 'top-full left-(--gutter) mt-0.5' : 'top-1 right-0'
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
            'pointer-events-none absolute z-10 flex gap-0.5 bg-ground opacity-0',
            'group-hover/row:pointer-events-auto group-hover/row:opacity-100',
            'focus-within:pointer-events-auto focus-within:opacity-100',
            busy && 'opacity-100',
            place
          )}
        >
          {acts.map(({ id, label, Icon, act, disabled }, index) => (
            <IconButton
              key={id}
              label={label}
              data-hook={`message-${id}`}
              tabIndex={index === 0 ? 0 : -1}
              disabled={disabled ?? false}
              onClick={act}
              className="size-6! min-h-0! min-w-0! disabled:opacity-40"
            >
              {isSeen ? <Icon /> : null}
            </IconButton>
          ))}
          <span role="status" className="self-center text-muted">
            {copied ? 'Copied' : ''}
          </span>
        </div>
      ) : (
        <div className={clsx('absolute z-10', place)}>
          <Menu
            align={below ? 'start' : 'end'}
            trigger={
              <IconButton label={label} data-hook="message-menu" className="reach size-6! min-h-0! min-w-0!">
                <MoreIcon />
              </IconButton>
            }
          >
            {acts.map(({ id, label, act, disabled, danger }) => (
              <MenuItem
                key={id}
                data-hook={`message-${id}`}
                onSelect={act}
                disabled={disabled ?? false}
                danger={danger ?? false}
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

/** Arrows walk through the buttons that can be pressed. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (by === 0) return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button:enabled')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  buttons[(at + by + buttons.length) % buttons.length]?.focus()
  event.preventDefault()
}
