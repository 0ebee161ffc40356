import type { z } from 'zod'
import { cleanText } from '#lib/kernel/clean-text.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/house.ts'
import { admit } from './admit.ts'
import { answerWith } from './answer-with.ts'
import { heedLimit } from './heed-limit.ts'
import { jsonAnswer } from './json-answer.ts'
import type { Operation } from './operation.ts'
import { parseInput } from './parse-input.ts'
import { readText } from './read-text.ts'
import type { Handler } from './route.ts'
import { whileHeld } from './while-held.ts'

/**
 * A door for a file: the body is its text, of at most the operation's `maxBytes`, whatever its content type says; the rest of
 * the input stands in the path and the query. Who may not come in is told before a byte of it is read.
 */
export function uploadRoute<Input extends z.ZodType, Answer extends z.ZodType>(
  operation: Operation<Input, Answer> & { maxBytes?: number },
  verb: (ctx: Ctx, input: z.output<Input>) => Promise<z.output<Answer>>
): Handler {
  const { path, status = 200, maxBytes = 0 } = operation
  return (request, { params }) =>
    answerWith(request, path, async () => {
      const actor = await admit(request, operation)
      await heedLimit(actor)
      const query = Object.fromEntries(
        [...new URL(request.url).searchParams].map(([name, value]) => [name, cleanText(value)])
      )
      return whileHeld(actor, undefined, async () => {
        const text = cleanText(await readText(request, maxBytes))
        const input = parseInput(operation.input, { ...query, ...(await params), text })
        return jsonAnswer(await verb(ctxFor(actor), input), status)
      })
    })
}
