import type { Call } from '@waystation/protocol/call/call.ts'
import type {
  CallEvent,
  Chunk,
  ChunkEvent,
  MessageEvent,
  SessionEvent,
  Snapshot,
  StatusEvent
} from '@waystation/protocol/session/event.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { deliveryOf, isToolPart } from '@waystation/protocol/session/message-parts.ts'
import type { PostedMessage } from './post.ts'
import { isShown, missingChunks, replay, resumedText } from './replay.ts'
import { openChunks, partOf, settledCallChunk, settledChunks } from './tool-chunks.ts'

/** The messages that the client has, and how it reads the stream. */
export type Reader = {
  /** The messages that the client posted. */
  posted: readonly PostedMessage[]
  /** The posted message that the client continues to write. */
  continued?: PostedMessage | undefined
  /** The client follows a running message (`resumeStream`). A `start` for another message replaces that message. */
  resumes?: boolean
  /** The client's own message that was just stored. */
  messageId?: string | undefined
  /** IDs of the calls that the client just settled. */
  answered?: readonly string[]
}

/**
 * Streams a turn as an AI SDK UI message stream, which writes one message. It first sends what the client lacks, then
 * each event until the turn ends. It never sends a chunk for a tool that the client's message does not have.
 *
 * To the SDK, the response to a post is one message. A client that continues an older message than ours therefore gets
 * a `start` without an ID, and `data-message` says which message starts there. The same happens when a turn starts
 * another message. If the log cannot be followed to the end of the turn, the stream ends without a `finish`.
 *
 * A message to an external agent starts no turn. The stream ends after the first delivery attempt, and contains a
 * `data-delivery` if that attempt failed.
 */
export async function* turnStream(
  snapshot: Snapshot,
  events: AsyncIterable<SessionEvent>,
  reader: Reader
): AsyncGenerator<Chunk, void> {
  const turn = new TurnStream(snapshot, reader)
  yield* turn.begin()
  if (snapshot.turnId === undefined) {
    const delivery = await attemptedDelivery(snapshot, events, reader.messageId)
    if (delivery === 'lost') return
    return yield* turn.rest(delivery)
  }
  for await (const event of events) {
    if (event.type === 'reset') return
    yield* turn.take(event)
    if (event.type === 'status' && event.outcome !== undefined && event.turnId === snapshot.turnId) {
      return yield* turn.end(event)
    }
  }
}

type Shown = Extract<Message['parts'][number], { type: 'data-delivery' }>

/**
 * Returns the state of this message's delivery after its first attempt, or `lost` if the log cannot be followed.
 * Undefined means that the message has no delivery, or waits for an earlier one, which can take hours.
 */
async function attemptedDelivery(
  { messages }: Snapshot,
  events: AsyncIterable<SessionEvent>,
  messageId: string | undefined
): Promise<Shown | 'lost' | undefined> {
  const isPending = (message: Message) => deliveryOf(message)?.state === 'pending'
  const sent = messages.filter(isPending)
  if (sent.at(-1)?.id !== messageId || sent.length !== 1) return undefined
  for await (const event of events) {
    if (event.type === 'reset') return 'lost'
    if (event.type !== 'message' || event.message.id !== messageId) continue
    return event.message.parts.find(part => part.type === 'data-delivery')
  }
  return 'lost'
}

class TurnStream {
  readonly #snapshot: Snapshot
  readonly #reader: Reader
  readonly #answered: ReadonlySet<string>
  readonly #calls: Map<string, Call>
  /** The calls whose parts are in the client's message, with the kind that the client was last sent. */
  readonly #shown = new Map<string, Call['kind'] | 'written'>()
  /** Calls of a step that is not committed yet. Nothing can act on them. */
  readonly #uncommitted = new Set<string>()
  /** The texts and reasoning blocks whose start the client has. */
  readonly #texts = new Set<string>()
  readonly #thoughts = new Set<string>()
  /** Outcomes to send in the current message, and those sent in its newest step, which `reset-step` removes. */
  #pending: Chunk[] = []
  #addedInStep: Chunk[] = []
  #started = false
  #hasSent = false

  constructor(snapshot: Snapshot, reader: Reader) {
    this.#snapshot = snapshot
    this.#reader = reader
    this.#answered = new Set(reader.answered)
    this.#calls = new Map(snapshot.calls.map(call => [call.toolCallId, call]))
  }

  *begin(): Generator<Chunk> {
    const { continued, messageId } = this.#reader
    const running = runningMessage(this.#snapshot.messages)
    const isContinued = running !== undefined && running.id === continued?.id && !includesAnother(continued)
    this.#pending = this.#outcomesElsewhere(isContinued ? running : undefined)
    if (isContinued) {
      yield* this.#start(running.id)
      this.#recordShown(running)
      yield* this.#send(missingChunks(continued, running, this.#calls, this.#answered))
    } else if (messageId === undefined && running !== undefined && this.#lacks(running)) {
      yield* this.#replayMessage(running)
    } else if (continued !== undefined) yield* this.#start()
    if (this.#started) yield* this.#flush()
  }

  *take(event: SessionEvent): Generator<Chunk> {
    this.#hasSent = true
    if (event.type === 'chunk') yield* this.#chunk(event)
    else if (event.type === 'call') yield* this.#call(event)
    else if (event.type === 'message') yield* this.#message(event)
  }

  /** Ends the stream with the turn's outcome. */
  *end({ outcome, error }: StatusEvent): Generator<Chunk> {
    yield* this.#flush()
    if (outcome === 'failed') {
      // The SDK shows it as the chat's error, and sends nothing more by itself.
      yield { type: 'error', errorText: error?.message ?? 'The turn failed.' }
      return
    }
    const stopped = outcome === 'cancelled' || outcome === 'interrupted'
    if (stopped) yield { type: 'abort', reason: outcome }
    yield {
      type: 'finish',
      finishReason: this.#waits() ? 'tool-calls' : stopped ? 'interrupted' : 'stop'
    }
  }

  /**
   * Ends the stream when no turn is running. `interrupted` keeps a client from posting a complete message again
   * forever. `delivery` belongs to the client's own message to an external agent.
   */
  *rest(delivery?: Shown): Generator<Chunk> {
    yield* this.#flush()
    if (delivery !== undefined && delivery.data.state !== 'delivered') {
      if (!this.#started) yield* this.#start()
      yield delivery
    }
    const idle = !this.#hasSent && this.#answered.size === 0 && this.#reader.messageId === undefined
    yield { type: 'finish', finishReason: this.#waits() ? 'tool-calls' : idle ? 'interrupted' : 'stop' }
  }

  /** Returns whether a call in the client's message is open. */
  #waits(): boolean {
    return [...this.#shown.keys()].some(id => this.#calls.get(id)?.state === 'open')
  }

  *#start(messageId?: string, createdAt?: string): Generator<Chunk> {
    this.#started = true
    if (messageId === undefined) yield { type: 'start' }
    else if (createdAt === undefined) yield { type: 'start', messageId }
    else yield { type: 'start', messageId, messageMetadata: this.#metadata(createdAt) }
  }

  #metadata(createdAt: string) {
    const { turnId } = this.#snapshot
    return { createdAt, ...(turnId === undefined ? {} : { turnId }) }
  }

  /** Starts a message in the stream: with its own `start`, or inside the client's one message. */
  *#openMessage(messageId: string, createdAt: string): Generator<Chunk> {
    const { continued, resumes } = this.#reader
    if (resumes || (!this.#started && continued === undefined)) {
      this.#shown.clear()
      yield* this.#start(messageId, createdAt)
    } else {
      if (!this.#started) yield* this.#start()
      yield { type: 'data-message', id: messageId, data: { messageId, createdAt } } as unknown as Chunk
    }
    yield* this.#flush()
  }

  /** Sends a message from its beginning to its current state. */
  *#replayMessage(message: Message): Generator<Chunk> {
    yield* this.#openMessage(message.id, message.metadata?.createdAt ?? new Date().toISOString())
    this.#recordShown(message)
    yield* this.#send(replay(message.parts, this.#calls))
  }

  #recordShown(message: Message): void {
    for (const part of message.parts) {
      if (!isToolPart(part)) continue
      const call = this.#calls.get(part.toolCallId)
      this.#shown.set(part.toolCallId, call?.kind ?? 'written')
      if (call === undefined && part.state === 'input-available') this.#uncommitted.add(part.toolCallId)
    }
  }

  *#send(chunks: Chunk[]): Generator<Chunk> {
    for (const chunk of chunks) {
      if (chunk.type === 'text-start') this.#texts.add(chunk.id)
      if (chunk.type === 'reasoning-start') this.#thoughts.add(chunk.id)
      this.#hasSent = true
      yield chunk
    }
  }

  *#chunk({ messageId, chunk, at }: ChunkEvent & { at: string }): Generator<Chunk> {
    if (chunk.type === 'start') return yield* this.#openMessage(messageId, at)
    if (!this.#started) {
      const known = this.#snapshot.messages.find(({ id }) => id === messageId)
      if (known !== undefined) yield* this.#replayMessage(known)
      else yield* this.#openMessage(messageId, at)
    }
    switch (chunk.type) {
      // The stream writes its own `finish` with the reason.
      case 'finish':
        return
      case 'start-step':
        this.#addedInStep = []
        break
      case 'reset-step':
        yield chunk
        this.#uncommitted.clear()
        yield* this.#addedInStep
        return
      case 'tool-input-start':
        this.#shown.set(chunk.toolCallId, 'written')
        break
      case 'tool-input-delta':
        if (!this.#shown.has(chunk.toolCallId)) return
        break
      case 'tool-input-available':
        this.#shown.set(chunk.toolCallId, 'written')
        this.#uncommitted.add(chunk.toolCallId)
        return
      case 'text-start':
        this.#texts.add(chunk.id)
        break
      case 'reasoning-start':
        this.#thoughts.add(chunk.id)
        break
      case 'reasoning-delta':
      case 'reasoning-end':
        if (!this.#thoughts.has(chunk.id)) return
        break
      case 'text-delta':
      case 'text-end': {
        const id = this.#texts.has(chunk.id) ? chunk.id : resumedText
        if (!this.#texts.has(id)) return
        if (chunk.type === 'text-end') this.#texts.delete(id)
        yield { ...chunk, id }
        return
      }
    }
    yield chunk
  }

  *#call({ call }: CallEvent): Generator<Chunk> {
    const { toolCallId } = call
    const before = this.#shown.get(toolCallId)
    this.#calls.set(toolCallId, call)
    if (before === undefined) {
      if (call.state === 'open') return
      const chunk = settledCallChunk(call)
      if (!this.#started) this.#pending.push(chunk)
      else yield* this.#sendOutcome(chunk)
      return
    }
    this.#shown.set(toolCallId, call.kind)
    if (this.#uncommitted.delete(toolCallId)) yield* openChunks(call)
    // The call is approved, and now waits for its fulfilment.
    else if (call.state === 'open' && isApprovalKind(before) && !isApprovalKind(call.kind)) {
      const approved = {
        ...partOf(call),
        state: 'approval-responded',
        approval: { id: toolCallId, approved: true }
      }
      yield* settledChunks(approved, { approvalKnown: true })
      yield* openChunks(call)
    }
    if (call.state !== 'open')
      yield* settledChunks(partOf(call), {
        approvalKnown: isApprovalKind(before),
        own: this.#answered.has(toolCallId),
        ran: call.where === 'server'
      })
  }

  /** Sends a message that another caller added to the running turn, at the step that includes it. */
  *#message({ message, placed }: MessageEvent): Generator<Chunk> {
    if (!placed || !this.#started || message.id === this.#reader.messageId) return
    const parts = message.parts.filter(({ type }) => type === 'text' || type === 'file')
    yield { type: 'steering-message', id: message.id, parts } as Chunk
  }

  *#flush(): Generator<Chunk> {
    const pending = this.#pending
    this.#pending = []
    if (pending.length > 0 && !this.#started) yield* this.#start()
    for (const chunk of pending) yield* this.#sendOutcome(chunk)
  }

  *#sendOutcome(chunk: Chunk): Generator<Chunk> {
    this.#addedInStep.push(chunk)
    yield chunk
  }

  /** Returns the late of calls in other messages that the client just settled, or shows in another state. */
  #outcomesElsewhere(current: Message | undefined): Chunk[] {
    const here = new Set(current?.parts.flatMap(part => (isToolPart(part) ? [part.toolCallId] : [])))
    const sentIds = new Set(
      this.#reader.posted.flatMap(({ parts }) =>
        parts.filter(({ type }) => type === 'data-call-settled').map(({ id }) => id)
      )
    )
    return this.#reader.posted
      .filter(({ role }) => role === 'assistant')
      .flatMap(({ parts }) => parts)
      .flatMap(part => {
        const call = this.#calls.get(String(part.toolCallId))
        if (call === undefined || call.state === 'open' || here.has(call.toolCallId)) return []
        const isNew =
          this.#answered.has(call.toolCallId) || !(sentIds.has(call.toolCallId) || isShown(part, call))
        return isNew ? [settledCallChunk(call)] : []
      })
  }

  /** Returns whether the client lacks this message, or has it in a message that it is not continuing. */
  #lacks(message: Message): boolean {
    const known = this.#reader.posted.some(
      ({ id, parts }) =>
        id === message.id || parts.some(part => part.type === 'data-message' && part.id === message.id)
    )
    return (
      !known || (this.#snapshot.turnId !== undefined && message.metadata?.turnId === this.#snapshot.turnId)
    )
  }
}

/** Returns the message that is being written, or the last one. Only queued messages follow it. */
function runningMessage(messages: readonly Message[]): Message | undefined {
  const last = messages.findLast(message => message.metadata?.queued === undefined)
  return last?.role === 'assistant' ? last : undefined
}

/** Returns whether another of our messages was written into this client message. */
const includesAnother = ({ parts }: PostedMessage) => parts.some(({ type }) => type === 'data-message')

const isApprovalKind = (kind: Call['kind'] | 'written') => kind === 'approval' || kind === 'limit'
