import type { z } from 'zod'
import { demand } from '#lib/auth/scope.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor, house } from '#lib/kernel/house.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { admit } from './admit.ts'
import { answerWith } from './answer-with.ts'
import { readableByPage } from './cors.ts'
import { heedLimit } from './heed-limit.ts'
import type { Operation } from './operation.ts'
import { readInput } from './read-input.ts'
import type { Handler } from './route.ts'
import { type ServerSentEvent, sse } from './sse.ts'

/**
 * How often a stream looks whether its reader may still read: somebody who lost the right to it is out within 5 s (design
 * 2.14), the look itself included. Milliseconds.
 */
export const lookAgainMs = 4_000

/**
 * A door to a verb that goes on speaking: its events as Server-Sent Events. To hear them is to `read`, whatever else the
 * operation is. It ends when the client goes, when the server stops, and within 5 s of its reader losing the right to read. What the verb refuses before its first event
 * is a refusal with its status, as anywhere.
 */
export function stream<Input extends z.ZodType, Answer extends z.ZodType>(
  operation: Operation<Input, Answer>,
  verb: (ctx: Ctx, input: z.output<Input>, signal: AbortSignal) => Promise<AsyncIterable<z.output<Answer>>>,
  written: (event: z.output<Answer>) => ServerSentEvent
): Handler {
  return (request, { params }) =>
    readableByPage(request, operation, () =>
      answerWith(request, operation.path, async () => {
        const actor = await admit(request, operation)
        await heedLimit(actor)
        demand(actor, 'read')
        const input = await readInput(request, await params, operation)
        const unwelcome = new AbortController()
        const signal = AbortSignal.any([request.signal, house().closing, unwelcome.signal])
        const events = await verb(ctxFor(actor), input, signal)
        // Only the head of it is wanted: nobody would read the events, or say when that is over.
        if (request.method === 'HEAD') unwelcome.abort()
        const lookAgain = () =>
          admit(request, operation).then(
            now => now.workspaceId === actor.workspaceId || unwelcome.abort(),
            error => error instanceof Refusal && unwelcome.abort()
          )
        const response = sse(told(events, written, lookAgain), { signal })
        // Whoever comes back after a restart can tell that it was one (docs/api.md).
        response.headers.set('waystation-uptime', ((performance.now() - house().openedAt) / 1000).toFixed(1))
        return response
      })
    )
}

/** The events as they are written, while somebody looks now and then whether they may still be read. */
async function* told<T>(
  events: AsyncIterable<T>,
  written: (event: T) => ServerSentEvent,
  lookAgain: () => unknown
) {
  const timer = setInterval(lookAgain, lookAgainMs)
  try {
    for await (const event of events) yield written(event)
  } finally {
    clearInterval(timer)
  }
}
