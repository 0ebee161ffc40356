'use client'
import { clsx } from 'clsx'
import type { KeyboardEvent } from 'react'
import { IconButton } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Menu, MenuItem } from '#components/ui/menu.tsx'
import type { Message } from '#lib/protocol/message.ts'
import { Choice } from './choice.tsx'
import { MoreIcon } from './icons.tsx'
import { useTurnActs } from './use-turn-acts.ts'

/**
 * What can be done to a turn: small buttons that show themselves under the pointer, or when one of them has the focus (one
 * stop of Tab a row, arrows go on from there). Where nothing hovers, a menu has the same. What takes something away
 * that a person may miss asks first.
 */
export function TurnActions({ message, below = false }: { message: Message; below?: boolean }) {
  const { acts, busy, copied, asked, setAsked, rerun, remove } = useTurnActs(message)
  return (
    <>
      <div
        role="toolbar"
        aria-label={message.role === 'user' ? 'This message' : 'This answer'}
        aria-busy={busy}
        data-testid="message-actions"
        onKeyDown={moveFocus}
        className={clsx(
          'pointer-events-none absolute z-10 flex gap-0.5 bg-ground opacity-0 no-hover:hidden',
          'group-hover/row:pointer-events-auto group-hover/row:opacity-100',
          'focus-within:pointer-events-auto focus-within:opacity-100',
          busy && 'opacity-100',
          below ? 'top-full left-(--gutter) mt-0.5' : 'top-1 right-0'
        )}
      >
        {acts.map(({ id, label, Icon, act, disabled }, index) => (
          <IconButton
            key={id}
            label={label}
            data-testid={`message-${id}`}
            tabIndex={index === 0 ? 0 : -1}
            disabled={disabled ?? false}
            onClick={act}
            className="size-6! min-h-0! min-w-0! disabled:opacity-40"
          >
            <Icon />
          </IconButton>
        ))}
        <span role="status" className="self-center text-muted">
          {copied ? 'Copied' : ''}
        </span>
      </div>
      <div
        className={clsx(
          'absolute z-10 hidden no-hover:block',
          below ? 'top-full left-(--gutter) mt-0.5' : 'top-1 right-0'
        )}
      >
        <Menu
          align={below ? 'start' : 'end'}
          trigger={
            <IconButton
              label={message.role === 'user' ? 'This message' : 'This answer'}
              data-testid="message-menu"
              className="reach size-6! min-h-0! min-w-0!"
            >
              <MoreIcon />
            </IconButton>
          }
        >
          {acts.map(({ id, label, act, disabled, danger }) => (
            <MenuItem key={id} onSelect={act} disabled={disabled ?? false} danger={danger ?? false}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      </div>
      <Dialog
        open={asked !== undefined}
        onOpenChange={open => (open ? undefined : setAsked(undefined))}
        title={asked?.what === 'rerun' ? 'Run it again from here?' : 'Delete this turn?'}
        description={
          asked?.what === 'rerun'
            ? `The answer is written anew. ${asked.goes ?? ''} What tools did stays done.`
            : `The message and what the agent did after it go out of the conversation, and the agent knows nothing of them any more. ${asked?.goes ?? ''} What tools did stays done, and the log keeps what was said.`
        }
      >
        <Choice
          act={asked?.what === 'rerun' ? 'Run it again' : 'Delete the turn'}
          onAct={() => void (asked?.what === 'rerun' ? rerun(true) : remove())}
          onKeep={() => setAsked(undefined)}
        />
      </Dialog>
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
