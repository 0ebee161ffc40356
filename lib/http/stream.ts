import type { z } from 'zod'
import { demand } from '#lib/auth/scope.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor, house } from '#lib/kernel/house.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { admit } from './admit.ts'
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
 * operation is. It ends when the client goes, when the server stops, and within 5 s of its reader losing the right to read. What the verb refuses before its first event
 * is a refusal with its status, as anywhere.
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
  speak(operation, verb, (lines, { signal, input }) => jsonLines(lines, { signal, name: nameOf(input) }))

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
  ) => Response
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
        const told = await verb(ctxFor(actor), input, signal)
        // Only the head of it is wanted: nobody would read what is told, or say when that is over.
        if (request.method === 'HEAD') unwelcome.abort()
        const lookAgain = () =>
          admit(request, operation).then(
            now => now.workspaceId === actor.workspaceId || unwelcome.abort(),
            error => error instanceof Refusal && unwelcome.abort()
          )
        return respond(whileWelcome(told, lookAgain), { signal, input })
      })
    )
}

/** What is told, while somebody looks now and then whether it may still be heard. */
async function* whileWelcome<T>(told: AsyncIterable<T>, lookAgain: () => unknown) {
  const timer = setInterval(lookAgain, house().pace.accessCheckMs)
  try {
    yield* told
  } finally {
    clearInterval(timer)
  }
}

async function* map<T, U>(values: AsyncIterable<T>, made: (value: T) => U) {
  for await (const value of values) yield made(value)
}
