import type { z } from 'zod'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { OpenStream } from '#lib/kernel/ports/open-streams.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { demand } from '#lib/kernel/scope.ts'
import { authorizeAgain } from './authorize.ts'
import type { Operation } from './operation.ts'
import { type Handler, raw } from './raw.ts'
import { readInput } from './request/read-input.ts'

/** Writes the items that a verb yields into a response, until they end or `signal` aborts. */
export type Format<Input, Item> = (
  items: AsyncIterable<Item>,
  about: { signal: AbortSignal; input: Input }
) => Response

/**
 * Makes the handler of an operation whose verb yields items. `format` writes them as events, as JSON Lines or as an AI
 * SDK message. The caller needs the scope `read`, in addition to the operation's own scope. The stream ends when the
 * client disconnects, when the server stops, and within 5 s after its reader loses access. Over the reader's limit of
 * streams, it throws `RATE_LIMITED`. Errors before the first item become responses with their status. If the verb
 * returns undefined, the response is `204`.
 */
export function stream<Input extends z.ZodType, Answer extends z.ZodType>(
  operation: Operation<Input, Answer>,
  verb: (
    ctx: Ctx,
    input: z.output<Input>,
    signal: AbortSignal
  ) => Promise<AsyncIterable<z.output<Answer>> | undefined>,
  format: Format<z.output<Input>, z.output<Answer>>
): Handler {
  return raw(
    operation,
    async ({ request, params, actor, ctx }) => {
      demand(actor, 'read')
      const look = () => authorizeAgain(request, operation, actor)
      const openStream = runtime().streams(actor, look, operation.lines ? 'export' : undefined)
      try {
        const input = await readInput(request, params, operation)
        const headEnd = new AbortController()
        const signal = AbortSignal.any([request.signal, runtime().closing, openStream.signal, headEnd.signal])
        const items = await verb(ctx, input, signal)
        if (items === undefined) {
          openStream.leave()
          return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
        }
        // A HEAD request has no reader to end the stream.
        if (request.method === 'HEAD') headEnd.abort()
        return format(freeWhenDone(items, openStream, signal), { signal, input })
      } catch (error) {
        openStream.leave()
        throw error
      }
    },
    { isStream: true }
  )
}

/** Frees the stream's place when the items end and when `signal` aborts, even if no item was ever read. */
function freeWhenDone<T>(
  items: AsyncIterable<T>,
  { leave }: OpenStream,
  signal: AbortSignal
): AsyncIterable<T> {
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })
  return (async function* () {
    try {
      yield* items
    } finally {
      // A listener that is not removed would live as long as the server.
      signal.removeEventListener('abort', leave)
      leave()
    }
  })()
}
