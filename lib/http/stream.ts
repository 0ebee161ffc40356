import type { z } from 'zod'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor, house } from '#lib/kernel/house.ts'
import type { OpenStream } from '#lib/kernel/open-streams.ts'
import { demand } from '#lib/kernel/scope.ts'
import { admit, readmit } from './admit.ts'
import { answerWith } from './answer-with.ts'
import { readableByPage } from './cors.ts'
import { heedLimit } from './heed-limit.ts'
import { jsonLines } from './json-lines.ts'
import type { Operation } from './operation.ts'
import { readInput } from './read-input.ts'
import type { Handler } from './route.ts'
import { type ServerSentEvent, sse } from './sse.ts'
import { uptime } from './uptime.ts'

/**
 * A door to a verb that goes on speaking: its events as Server-Sent Events. To hear them is to `read`, whatever else the
 * operation is. It ends when the client goes, when the server stops, and within 5 s of its reader losing the right to read. A
 * reader has so many streams (`429 RATE_LIMITED`). What the verb refuses before its first event is a refusal with its status.
 */
export const stream = <Input extends z.ZodType, Answer extends z.ZodType>(
  operation: Operation<Input, Answer>,
  verb: Speaking<Input, Answer>,
  written: (event: z.output<Answer>) => ServerSentEvent
): Handler =>
  speak(operation, verb, (events, { signal }) => {
    const response = sse(map(events, written), { signal })
    // Whoever comes back after a restart can tell that it was one (docs/api.md).
    response.headers.set('waystation-uptime', String(uptime()))
    return response
  })

/** A door to a verb that writes a file of JSON lines: as `stream`, but that it ends by itself. */
export const download = <Input extends z.ZodType, Answer extends z.ZodType>(
  operation: Operation<Input, Answer>,
  verb: Speaking<Input, Answer>,
  nameOf: (input: z.output<Input>) => string
): Handler =>
  speak(
    operation,
    verb,
    (lines, { signal, input }) => jsonLines(lines, { signal, name: nameOf(input) }),
    'export'
  )

type Speaking<Input extends z.ZodType, Answer extends z.ZodType> = (
  ctx: Ctx,
  input: z.output<Input>,
  signal: AbortSignal
) => Promise<AsyncIterable<z.output<Answer>>>

function speak<Input extends z.ZodType, Answer extends z.ZodType>(
  operation: Operation<Input, Answer>,
  verb: Speaking<Input, Answer>,
  respond: (
    told: AsyncIterable<z.output<Answer>>,
    about: { signal: AbortSignal; input: z.output<Input> }
  ) => Response,
  what?: 'export'
): Handler {
  return (request, { params }) =>
    readableByPage(request, operation, () =>
      answerWith(request, operation.path, async () => {
        const actor = await admit(request, operation)
        await heedLimit(actor)
        demand(actor, 'read')
        const place = house().streams(actor, () => readmit(request, operation, actor), what)
        try {
          const input = await readInput(request, await params, operation)
          const over = new AbortController()
          const signal = AbortSignal.any([request.signal, house().closing, place.signal, over.signal])
          const told = await verb(ctxFor(actor), input, signal)
          // Only the head of it is wanted: nobody would read what is told, or say when that is over.
          if (request.method === 'HEAD') over.abort()
          return respond(leaving(told, place, signal), { signal, input })
        } catch (error) {
          place.leave()
          throw error
        }
      })
    )
}

/** What is told; its place is free when that is over, and when `signal` aborts, also if nobody had begun to read it. */
function leaving<T>(told: AsyncIterable<T>, { leave }: OpenStream, signal: AbortSignal): AsyncIterable<T> {
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })
  return (async function* () {
    try {
      yield* told
    } finally {
      // With a listener it would be kept for as long as the server lives.
      signal.removeEventListener('abort', leave)
      leave()
    }
  })()
}

async function* map<T, U>(values: AsyncIterable<T>, made: (value: T) => U) {
  for await (const value of values) yield made(value)
}
