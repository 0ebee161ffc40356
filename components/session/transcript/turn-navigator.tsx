import type { Message } from '@waystation/protocol/session/message.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { useEffect, useRef } from 'react'
import { clockOrDay } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { useMark } from '#components/session/store/row-highlight.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { Menu, MenuItem } from '#components/ui/menu.tsx'

/** From this number of turns on, the navigator is shown. */
const fewestTurns = 4
/** The largest number of ticks, and of pages of earlier messages that an open list loads. */
const mostTicks = 24
const mostPages = 20

const startsTurn = ({ role, metadata }: Message): boolean => role === 'user' && metadata?.queued === undefined

/** A tick for each turn, to the right of the column on wide screens. A click lists the messages of users, newest first. */
export function TurnNavigator() {
  const turns = useSessionState(
    ({ transcript: { messages } }) => messages.filter(({ message }) => startsTurn(message)).length
  )
  if (turns < fewestTurns) return null
  return (
    <div className="absolute top-1/2 left-[calc(50%+346px)] hidden -translate-y-1/2 @min-[760px]:block">
      <Menu
        trigger={
          <button
            type="button"
            data-hook="turn-navigator"
            aria-label="Go to a message"
            title="Go to a message"
            className="tap group flex w-8 flex-col items-start justify-center gap-[5px] px-2 py-2"
          >
            {Array.from({ length: Math.min(turns, mostTicks) }, (_, index) => (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: the ticks are all the same
                key={index}
                className="h-0.5 w-2 bg-rail group-hover:w-3 group-hover:bg-ink group-aria-expanded:w-3 group-aria-expanded:bg-ink"
              />
            ))}
          </button>
        }
      >
        <Turns />
      </Menu>
    </div>
  )
}

/** The messages of users. While the list is open, earlier ones are loaded. */
function Turns() {
  const { store } = useSessionContext()
  const messages = useSessionState(state => state.transcript.messages)
  const earlier = useSessionState(state => state.earlier)
  const mark = useMark()
  const now = useNow()
  const pages = useRef(0)
  useEffect(() => {
    if (earlier !== 'more' || pages.current >= mostPages) return
    pages.current++
    void store.loadEarlier()
  }, [earlier, store])
  return (
    <div className="max-h-[60dvh] overflow-y-auto">
      {messages
        .flatMap(({ message }) => (startsTurn(message) ? [message] : []))
        .reverse()
        .map(message => {
          const at = message.metadata?.createdAt
          return (
            <MenuItem
              key={message.id}
              data-hook="turn"
              onSelect={() => mark.reveal(message.id)}
              {...(at === undefined || now === undefined ? {} : { hint: clockOrDay(at, now) })}
            >
              <span className="w-64 truncate text-left">{textOf(message).slice(0, 100) || 'Files'}</span>
            </MenuItem>
          )
        })}
      {earlier === 'loading' ? (
        <p role="presentation" className="px-3 py-1 text-muted">
          Loading earlier messages…
        </p>
      ) : null}
    </div>
  )
}
