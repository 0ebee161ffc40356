import type { Message, SessionEvent } from '@waystation/client'
import { Fault } from './fault.ts'
import { partBreak, undelivered } from './message-text.ts'
import { textFlow } from './text-flow.ts'

/** How the reply to a message ended: the turn is done, or waits for the answer to a call. `files` are their names. */
export type Reply = { outcome: 'done' | 'parked'; text: string; files?: string[] }

type Options = {
  events: AsyncIterable<SessionEvent>
  /** The message of the user. */
  messageId: string
  /** Receives the text of the reply while it is written. */
  onText: (text: string) => Promise<void>
}

/**
 * Reads the reply to a message from the events of its session, which begin with a `reset`. A queued message gets its
 * reply after it is no longer queued. An external agent runs no turn, so its first complete reply ends the reading,
 * unless that reply names another message. Throws a `Fault` if there is no reply: the turn failed, the turn or the
 * external agent was stopped, or the message was removed or not delivered.
 * Returns undefined if the events end first.
 */
export async function readReply({ events, messageId, onText }: Options): Promise<Reply | undefined> {
  const flow = textFlow()
  let text = ''
  let writer: string | undefined
  /** True once the agent has the message. */
  let isPlaced = false
  /** The replies of an external agent to other messages. */
  const others = new Set<string>()
  const isOther = ({ id, metadata }: Pick<Message, 'id' | 'metadata'>) => {
    if (metadata?.inReplyTo !== undefined && metadata.inReplyTo !== messageId) others.add(id)
    return others.has(id)
  }
  /** Adds text to the reply. Text from before the agent had the message is not part of it. */
  const add = async (id: string, piece: string) => {
    if (!isPlaced || piece === '') return
    const start = writer === undefined || writer === id ? '' : partBreak
    writer = id
    text += `${start}${piece}`
    await onText(`${start}${piece}`)
  }

  for await (const event of events) {
    switch (event.type) {
      case 'reset': {
        const at = event.messages.findIndex(({ id }) => id === messageId)
        const message = event.messages[at]
        // The key of the message is that of a message which is so old that it is not loaded.
        if (message === undefined && !isPlaced) return { outcome: 'done', text }
        checkDelivery(message)
        isPlaced ||= message?.metadata?.queued === undefined
        const later = event.messages.slice(at + 1).filter(each => each.role === 'assistant' && !isOther(each))
        for (const earlier of event.messages.slice(0, at + 1)) flow.ofMessage(earlier)
        for (const reply of later) await add(reply.id, flow.ofMessage(reply))
        if (!isPlaced) break
        if (event.status === 'parked') return { outcome: 'parked', text }
        if (event.status === 'failed' && event.retryAt === undefined) throw failed(event.error)
        if (event.status === 'idle' && isReplied(message, later))
          return { outcome: 'done', text, ...filesOf(later) }
        checkStopped(message)
        break
      }
      case 'message': {
        const { message } = event
        if (message.id === messageId) {
          checkDelivery(message)
          checkStopped(message)
          isPlaced ||= message.metadata?.queued === undefined
        } else if (message.role === 'assistant' && !isOther(message)) {
          await add(message.id, flow.ofMessage(message))
          if (isPlaced && message.metadata?.turnId === undefined)
            return { outcome: 'done', text, ...filesOf([message]) }
        }
        break
      }
      case 'message-removed':
        if (event.messageId === messageId)
          throw new Fault('REMOVED', 'The message was removed before the agent received it.')
        break
      case 'chunk':
        if (event.chunk.type === 'start')
          isOther({ id: event.messageId, metadata: event.chunk.messageMetadata })
        if (others.has(event.messageId)) break
        await add(event.messageId, flow.ofChunk(event))
        // The chunks of an external agent's reply have the message's ID instead of a turn's.
        if (isPlaced && event.chunk.type === 'finish' && event.turnId === event.messageId)
          return { outcome: 'done', text }
        break
      case 'status':
        if (!isPlaced || event.outcome === undefined || event.retryAt !== undefined) break
        if (event.outcome === 'done' || event.outcome === 'parked') return { outcome: event.outcome, text }
        throw event.outcome === 'failed'
          ? failed(event.error)
          : new Fault('STOPPED', 'The turn was stopped before it ended.')
      default:
    }
  }
  return undefined
}

/** In an idle session, the turn of a message has ended. An external agent has no turns, and may not have replied yet. */
const isReplied = (message: Message | undefined, replies: readonly Message[]): boolean =>
  replies.some(({ parts }) => parts.every(part => part.type !== 'text' || part.state !== 'streaming')) ||
  !message?.parts.some(({ type }) => type === 'data-delivery')

function checkDelivery(message: Message | undefined): void {
  const failure = message && undelivered(message)
  if (failure !== undefined) throw new Fault('UNDELIVERED', failure)
}

/** Returns the names of the files in these messages, if there are any. */
function filesOf(messages: readonly Message[]): Pick<Reply, 'files'> {
  const files = messages.flatMap(({ parts }) =>
    parts.flatMap(part => (part.type === 'file' ? [part.filename ?? part.mediaType] : []))
  )
  return files.length === 0 ? {} : { files }
}

/** Throws a `Fault` if a user asked the external agent to stop. It can still reply, but possibly never does. */
function checkStopped(message: Message | undefined): void {
  const delivery = message?.parts.find(part => part.type === 'data-delivery')?.data
  if (delivery?.stopped) throw new Fault('STOPPED', 'A user asked the external agent to stop.')
}

const failed = (error: { code: string; message: string } | undefined): Fault =>
  new Fault(error?.code ?? 'FAILED', error?.message ?? 'The turn failed.')
