'use client'
import type { Transcript } from '@waystation/protocol/session/fold.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { Expiry } from '#components/session/content/expiry.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { dueWords, fromWords } from '#components/session/wording/out-of-band-words.ts'
import { IconButton } from '#components/ui/button.tsx'
import { CloseIcon } from '#components/ui/icons.tsx'

const words = { queue: 'Queued', steer: 'Before next step', interrupt: 'Interrupts' } as const

/** Returns the first 40 characters of a text, which are enough to identify a message in a label. */
const start = (text: string) => (text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text)

type QueuedProps = { messages: Transcript['messages']; outOfBand: Transcript['outOfBand'] }

/**
 * Lists the messages that the agent has not received yet, above the composer: out-of-band messages, then
 * queued ones. Users can remove each until the agent receives it.
 */
export function Queued({ messages, outOfBand }: QueuedProps) {
  const { store, may, me, can } = useSessionContext()
  const queued = messages.filter(({ message }) => message.metadata?.queued !== undefined)
  const beside = Object.values(outOfBand).filter(({ status }) => status === 'visible')
  if (queued.length + beside.length === 0) return null
  return (
    <ul
      aria-label="Queued messages"
      data-hook="queued-messages"
      className="max-h-32 shrink-0 overflow-y-auto border-t pr-5 mid:px-6"
    >
      {beside.map(told => (
        <li key={told.id} data-hook="queued-message" className="column">
          <div className="flex min-h-9 items-center gap-3 pl-(--gutter)">
            <span className="shrink-0 text-muted">
              {told.metadata?.action === 'abort' ? 'With the next message' : dueWords[told.priority]}
            </span>
            <span className="min-w-0 flex-1 truncate">
              {fromWords(told)}: {told.content}
            </span>
            <Expiry of={told} className="max-mid:sr-only" />
            {may.send && (can.members || (told.source === 'user' && told.sourceId === me.name)) ? (
              <IconButton
                data-hook="remove-queued"
                label={`Remove message: ${start(told.content)}`}
                onClick={() => void store.removeOutOfBand(told.id)}
              >
                <CloseIcon />
              </IconButton>
            ) : null}
          </div>
        </li>
      ))}
      {queued.map(({ message }) => {
        const { queued: how, itemId } = message.metadata ?? {}
        return (
          <li key={message.id} data-hook="queued-message" className="column">
            <div className="flex min-h-9 items-center gap-3 pl-(--gutter)">
              <span className="shrink-0 text-muted">{words[how ?? 'queue']}</span>
              <span className="min-w-0 flex-1 truncate text-person">
                {[textOf(message), ...filesOf(message)].filter(words => words !== '').join(' · ')}
              </span>
              {itemId === undefined ? null : (
                <IconButton
                  data-hook="remove-queued"
                  label={`Remove message: ${start(textOf(message))}`}
                  onClick={() => void store.removeQueued(itemId)}
                >
                  <CloseIcon />
                </IconButton>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** Returns the names of the message's files, or their media types if they have no name. */
const filesOf = ({ parts }: Message): string[] =>
  parts.flatMap(part => (part.type === 'file' ? [part.filename ?? part.mediaType] : []))
