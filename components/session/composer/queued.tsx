import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import type { ReactNode } from 'react'
import { Expiry } from '#components/session/content/expiry.tsx'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { dueIn, fromWords, isPendingInPlace, start } from '#components/session/wording/out-of-band-words.ts'
import { IconButton } from '#components/ui/button.tsx'
import { CloseIcon } from '#components/ui/icons.tsx'

const words = { queue: 'Queued', steer: 'Before the next step', interrupt: 'Interrupts' } as const

/**
 * Lists the messages that the agent has not received yet, above the composer: out-of-band messages of programs
 * and agents, then queued ones. Users can remove each until the agent receives it.
 */
export function Queued() {
  const { store, may, me, can } = useSessionContext()
  const messages = useSessionState(state => state.transcript.messages)
  const outOfBand = useSessionState(state => state.transcript.outOfBand)
  const queued = messages.filter(({ message }) => message.metadata?.queued !== undefined)
  const status = useSessionState(state => state.transcript.status)
  const beside = Object.values(outOfBand).filter(told => told.status === 'visible' && !isPendingInPlace(told))
  if (queued.length + beside.length === 0) return null
  const mayRemove = ({ source, sourceId }: OutOfBand) =>
    may.send && (can.members || (source === 'user' && sourceId === me.name))
  return (
    <ul
      aria-label="Queued messages"
      data-hook="queued-messages"
      className="max-h-32 shrink-0 overflow-y-auto border-t pr-5 mid:px-6"
    >
      {beside.map(told => (
        <QueuedMessage
          key={told.id}
          when={dueIn(told, status)}
          text={told.content}
          onRemove={mayRemove(told) ? () => void store.removeOutOfBand(told.id) : undefined}
        >
          <span className="min-w-0 flex-1 truncate">
            {fromWords(told)}: {told.content}
          </span>
          <Expiry of={told} className="max-mid:sr-only" />
        </QueuedMessage>
      ))}
      {queued.map(({ message }) => {
        const { queued: how = 'queue', itemId } = message.metadata ?? {}
        const text = textOf(message)
        return (
          <QueuedMessage
            key={message.id}
            when={words[how]}
            text={text}
            onRemove={itemId === undefined ? undefined : () => void store.removeQueued(itemId)}
          >
            <span className="min-w-0 flex-1 truncate text-person">
              {[text, ...filesOf(message)].filter(words => words !== '').join(' · ')}
            </span>
          </QueuedMessage>
        )
      })}
    </ul>
  )
}

type QueuedMessageProps = {
  when: string
  text: string
  onRemove: (() => void) | undefined
  children: ReactNode
}

function QueuedMessage({ when, text, onRemove, children }: QueuedMessageProps) {
  return (
    <li data-hook="queued-message" className="column">
      <div className="flex min-h-9 items-center gap-3 pl-(--gutter)">
        <span className="shrink-0 text-muted">{when}</span>
        {children}
        {onRemove === undefined ? null : (
          <IconButton data-hook="remove-queued" label={`Remove message: ${start(text)}`} onClick={onRemove}>
            <CloseIcon />
          </IconButton>
        )}
      </div>
    </li>
  )
}

/** Returns the names of the message's files, or their media types if they have no name. */
const filesOf = ({ parts }: Message): string[] =>
  parts.flatMap(part => (part.type === 'file' ? [part.filename ?? part.mediaType] : []))
