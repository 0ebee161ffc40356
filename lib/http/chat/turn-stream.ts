import type { Call } from '#lib/protocol/call/call.ts'
import type {
  CallEvent,
  Chunk,
  ChunkEvent,
  MessageEvent,
  SessionEvent,
  Snapshot,
  StatusEvent
} from '#lib/protocol/session/event.ts'
import { deliveryOf, isToolPart, type Message } from '#lib/protocol/session/message.ts'
import type { PostedMessage } from './post.ts'
import { catchUp, isShown, replay, resumedText } from './replay.ts'
import { lateChunk, openChunks, partOf, settledChunks } from './tool-chunks.ts'

/** What the client at the other end has, and what it does with a `start`. */
export type Reader = {
  /** Its messages, as it posted them. */
  posted: readonly PostedMessage[]
  /** The one of them that it goes on writing to. */
  continued?: PostedMessage | undefined
  /** It follows a running message (`resumeStream`): another message's `start` begins that one anew. */
  resumes?: boolean
  /** Its own message, that was just taken. */
  messageId?: string | undefined
  /** The calls that it just settled. */
  answered?: readonly string[]
}

/**
 * A turn as the AI SDK's UI message stream, which is about one message: what the client lacks of it, then what is said,
 * until the turn's terminal event. Nothing here is ever a chunk of a tool that the client's message does not have.
 *
 * One answer to a post is one message to the SDK, so a client that goes on writing to an older message than ours is sent
 * a `start` without an ID, and `data-message` says which message begins there. The same when a turn begins another
 * message on its way. It ends without a `finish` when the log cannot be followed to the turn's end.
 *
 * A message to an external agent begins no turn: the stream ends once that took it, and with a `data-delivery` if it did not.
 */
export async function* turnStream(
  snapshot: Snapshot,
  events: AsyncIterable<SessionEvent>,
  reader: Reader
): AsyncGenerator<Chunk, void> {
  const turn = new TurnStream(snapshot, reader)
  yield* turn.begin()
  if (snapshot.turnId === undefined) {
    const delivery = await attempted(snapshot, events, reader.messageId)
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
 * How the delivery of this message stands after its first attempt; undefined for one that is sent to no external agent, or that
 * waits for an earlier one, which can take hours. `lost`: the log cannot be followed.
 */
async function attempted(
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
  /** The calls whose parts the client has in the message that is streamed, by what they were when it was told of them. */
  readonly #shown = new Map<string, Call['kind'] | 'written'>()
  /** Calls that the model has made and that nobody may act on before their step is committed. */
  readonly #held = new Set<string>()
  /** The texts and thoughts that the client has the beginning of. */
  readonly #texts = new Set<string>()
  readonly #thoughts = new Set<string>()
  /** Outcomes to tell in the current message; those told in its newest step, which `reset-step` takes away. */
  #late: Chunk[] = []
  #lateInStep: Chunk[] = []
  #started = false
  #told = false

  constructor(snapshot: Snapshot, reader: Reader) {
    this.#snapshot = snapshot
    this.#reader = reader
    this.#answered = new Set(reader.answered)
    this.#calls = new Map(snapshot.calls.map(call => [call.toolCallId, call]))
  }

  *begin(): Generator<Chunk> {
    const { continued, messageId } = this.#reader
    const running = runningMessage(this.#snapshot.messages)
    const isContinued = running !== undefined && running.id === continued?.id && !holdsAnother(continued)
    this.#late = this.#outcomesElsewhere(isContinued ? running : undefined)
    if (isContinued) {
      yield* this.#start(running.id)
      this.#shows(running)
      yield* this.#telling(catchUp(continued, running, this.#calls, this.#answered))
    } else if (messageId === undefined && running !== undefined && this.#lacks(running)) {
      yield* this.#from(running)
    } else if (continued !== undefined) yield* this.#start()
    if (this.#started) yield* this.#flush()
  }

  *take(event: SessionEvent): Generator<Chunk> {
    this.#told = true
    if (event.type === 'chunk') yield* this.#chunk(event)
    else if (event.type === 'call') yield* this.#call(event)
    else if (event.type === 'message') yield* this.#message(event)
  }

  /** The turn is over. */
  *end({ outcome, error }: StatusEvent): Generator<Chunk> {
    yield* this.#flush()
    if (outcome === 'failed') {
      // The SDK shows it as the chat's error, and sends nothing more by itself.
      yield { type: 'error', errorText: error?.message ?? 'The turn failed.' }
      return
    }
    const stopped = outcome === 'cancelled' || outcome === 'interrupted'
    if (stopped) yield { type: 'abort', reason: outcome }
    yield { type: 'finish', finishReason: this.#waits() ? 'tool-calls' : stopped ? 'interrupted' : 'stop' }
  }

  /**
   * No turn runs. `interrupted` keeps a client that finds its message complete from posting it for ever. `delivery`: of its own
   * message to an external agent.
   */
  *rest(delivery?: Shown): Generator<Chunk> {
    yield* this.#flush()
    if (delivery !== undefined && delivery.data.state !== 'delivered') {
      if (!this.#started) yield* this.#start()
      yield delivery
    }
    const idle = !this.#told && this.#answered.size === 0 && this.#reader.messageId === undefined
    yield { type: 'finish', finishReason: this.#waits() ? 'tool-calls' : idle ? 'interrupted' : 'stop' }
  }

  /** Whether a call that the client's message shows is open. */
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

  /** A message begins in the stream: by its own `start`, or inside the one message that the client has of us. */
  *#opens(messageId: string, createdAt: string): Generator<Chunk> {
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

  /** A message from its beginning, as far as it is. */
  *#from(message: Message): Generator<Chunk> {
    yield* this.#opens(message.id, message.metadata?.createdAt ?? new Date().toISOString())
    this.#shows(message)
    yield* this.#telling(replay(message.parts, this.#calls))
  }

  #shows(message: Message): void {
    for (const part of message.parts) {
      if (!isToolPart(part)) continue
      const call = this.#calls.get(part.toolCallId)
      this.#shown.set(part.toolCallId, call?.kind ?? 'written')
      if (call === undefined && part.state === 'input-available') this.#held.add(part.toolCallId)
    }
  }

  *#telling(chunks: Chunk[]): Generator<Chunk> {
    for (const chunk of chunks) {
      if (chunk.type === 'text-start') this.#texts.add(chunk.id)
      if (chunk.type === 'reasoning-start') this.#thoughts.add(chunk.id)
      this.#told = true
      yield chunk
    }
  }

  *#chunk({ messageId, chunk, at }: ChunkEvent & { at: string }): Generator<Chunk> {
    if (chunk.type === 'start') return yield* this.#opens(messageId, at)
    if (!this.#started) {
      const known = this.#snapshot.messages.find(({ id }) => id === messageId)
      if (known !== undefined) yield* this.#from(known)
      else yield* this.#opens(messageId, at)
    }
    switch (chunk.type) {
      // Its end is ours to tell, with its reason.
      case 'finish':
        return
      case 'start-step':
        this.#lateInStep = []
        break
      case 'reset-step':
        yield chunk
        this.#held.clear()
        yield* this.#lateInStep
        return
      case 'tool-input-start':
        this.#shown.set(chunk.toolCallId, 'written')
        break
      case 'tool-input-delta':
        if (!this.#shown.has(chunk.toolCallId)) return
        break
      case 'tool-input-available':
        this.#shown.set(chunk.toolCallId, 'written')
        this.#held.add(chunk.toolCallId)
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
      const chunk = lateChunk(call)
      if (!this.#started) this.#late.push(chunk)
      else yield* this.#tellLate(chunk)
      return
    }
    this.#shown.set(toolCallId, call.kind)
    if (this.#held.delete(toolCallId)) yield* openChunks(call)
    // Approved by somebody, and now it waits for whoever fulfils it.
    else if (call.state === 'open' && isAsked(before) && !isAsked(call.kind)) {
      const approved = {
        ...partOf(call),
        state: 'approval-responded',
        approval: { id: toolCallId, approved: true }
      }
      yield* settledChunks(approved, { asked: true })
      yield* openChunks(call)
    }
    if (call.state !== 'open')
      yield* settledChunks(partOf(call), {
        asked: isAsked(before),
        own: this.#answered.has(toolCallId),
        ran: call.where === 'server'
      })
  }

  /** What somebody else said while it ran, at the step that takes it in. */
  *#message({ message, placed }: MessageEvent): Generator<Chunk> {
    if (!placed || !this.#started || message.id === this.#reader.messageId) return
    const parts = message.parts.filter(({ type }) => type === 'text' || type === 'file')
    yield { type: 'steering-message', id: message.id, parts } as Chunk
  }

  *#flush(): Generator<Chunk> {
    const late = this.#late
    this.#late = []
    if (late.length > 0 && !this.#started) yield* this.#start()
    for (const chunk of late) yield* this.#tellLate(chunk)
  }

  *#tellLate(chunk: Chunk): Generator<Chunk> {
    this.#lateInStep.push(chunk)
    yield chunk
  }

  /** The calls of other messages whose outcome the client has just made, or shows otherwise than it was. */
  #outcomesElsewhere(current: Message | undefined): Chunk[] {
    const here = new Set(current?.parts.flatMap(part => (isToolPart(part) ? [part.toolCallId] : [])))
    const told = new Set(
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
        const isNews =
          this.#answered.has(call.toolCallId) || !(told.has(call.toolCallId) || isShown(part, call))
        return isNews ? [lateChunk(call)] : []
      })
  }

  /** Whether the client has nothing of this message, or has it where it does not write to now while it goes on. */
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

/** The message that is being written, or was last: behind it stand only those that wait for their turn. */
function runningMessage(messages: readonly Message[]): Message | undefined {
  const last = messages.findLast(message => message.metadata?.queued === undefined)
  return last?.role === 'assistant' ? last : undefined
}

/** A client's message that another one of ours was written into. */
const holdsAnother = ({ parts }: PostedMessage) => parts.some(({ type }) => type === 'data-message')

const isAsked = (kind: Call['kind'] | 'written') => kind === 'approval' || kind === 'limit'
