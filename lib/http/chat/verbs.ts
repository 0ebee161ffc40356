import type { Chunk, SessionEvent, Snapshot } from '@waystation/protocol/session/event.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { covers } from '#lib/kernel/scope.ts'
import { type ChatPost, findContinuedMessage, readNewMessage, readSettledCalls } from './post.ts'
import { turnStream } from './turn-stream.ts'

type Follow = (
  ctx: Ctx,
  input: { sessionId: string; after?: number },
  signal: AbortSignal
) => Promise<AsyncIterable<SessionEvent>>
type Ingest = (
  ctx: Ctx,
  input: {
    sessionId: string
    settled: ReturnType<typeof readSettledCalls>
    mayAnswer: boolean
    again: boolean
  } & Partial<Pick<ChatPost, 'agentId' | 'clientTools'>> & {
      message?: NonNullable<ReturnType<typeof readNewMessage>>
    }
) => Promise<{ sessionId: string; answered: string[]; messageId?: string; snapshot: Snapshot }>

/** Ingests the new content of a post, then streams the turn that it started or that was already running. */
export const postChat =
  (ingest: Ingest, follow: Follow) =>
  async (ctx: Ctx, post: ChatPost, signal: AbortSignal): Promise<AsyncIterable<Chunk>> => {
    const again = post.trigger === 'regenerate-message'
    const message = readNewMessage(post)
    const { agentId, clientTools, messages } = post
    const result = await ingest(ctx, {
      sessionId: post.id,
      settled: readSettledCalls(messages),
      mayAnswer: covers(ctx.actor, 'answer'),
      again,
      ...(message === undefined ? {} : { message }),
      ...(agentId === undefined ? {} : { agentId }),
      ...(clientTools === undefined ? {} : { clientTools })
    })
    const { sessionId, snapshot, answered, messageId } = result
    const events = await follow(ctx, { sessionId, after: snapshot.cursor }, signal)
    return turnStream(snapshot, events, {
      posted: messages,
      continued: findContinuedMessage(post),
      messageId,
      answered
    })
  }

/** Streams the running message from its beginning. Returns undefined if no turn is running. */
export const resumeChat =
  (follow: Follow) =>
  async (
    ctx: Ctx,
    { sessionId }: { sessionId: string },
    signal: AbortSignal
  ): Promise<AsyncIterable<Chunk> | undefined> => {
    const events = await follow(ctx, { sessionId }, signal)
    const iterator = events[Symbol.asyncIterator]()
    const { value: first } = await iterator.next()
    if (first?.type === 'reset' && first.turnId !== undefined)
      return turnStream(first, { [Symbol.asyncIterator]: () => iterator }, { posted: [], resumes: true })
    await iterator.return?.()
    return undefined
  }
