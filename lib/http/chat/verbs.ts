import type { Ctx } from '#lib/kernel/ctx.ts'
import { covers } from '#lib/kernel/scope.ts'
import type { Chunk, SessionEvent, Snapshot } from '#lib/protocol/session/event.ts'
import { type ChatPost, continuedBy, messageIn, settledIn } from './post.ts'
import { turnStream } from './turn-stream.ts'

/** The verbs behind these doors, which the routes hand in. */
type Follow = (
  ctx: Ctx,
  input: { sessionId: string; after?: number },
  signal: AbortSignal
) => Promise<AsyncIterable<SessionEvent>>
type Take = (
  ctx: Ctx,
  input: {
    sessionId: string
    settled: ReturnType<typeof settledIn>
    mayAnswer: boolean
    again: boolean
  } & Partial<Pick<ChatPost, 'agentId' | 'clientTools'>> & {
      message?: NonNullable<ReturnType<typeof messageIn>>
    }
) => Promise<{ sessionId: string; answered: string[]; messageId?: string; snapshot: Snapshot }>

/** Takes what is new of a post, then tells the turn that runs because of it, or that runs anyway. */
export const postChat =
  (take: Take, follow: Follow) =>
  async (ctx: Ctx, post: ChatPost, signal: AbortSignal): Promise<AsyncIterable<Chunk>> => {
    const again = post.trigger === 'regenerate-message'
    const message = messageIn(post)
    const { agentId, clientTools, messages } = post
    const taken = await take(ctx, {
      sessionId: post.id,
      settled: settledIn(messages),
      mayAnswer: covers(ctx.actor, 'answer'),
      again,
      ...(message === undefined ? {} : { message }),
      ...(agentId === undefined ? {} : { agentId }),
      ...(clientTools === undefined ? {} : { clientTools })
    })
    const { sessionId, snapshot, answered, messageId } = taken
    const events = await follow(ctx, { sessionId, after: snapshot.cursor }, signal)
    return turnStream(snapshot, events, {
      posted: messages,
      continued: continuedBy(post),
      messageId,
      answered
    })
  }

/** The running message from its beginning, and on. Nothing runs: undefined. */
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
