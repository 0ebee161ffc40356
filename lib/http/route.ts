import type { z } from 'zod'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/house.ts'
import { admit } from './admit.ts'
import { answerWith } from './answer-with.ts'
import { readableByPage } from './cors.ts'
import { heedLimit } from './heed-limit.ts'
import { jsonAnswer } from './json-answer.ts'
import type { Operation } from './operation.ts'
import { type Params, readInput } from './read-input.ts'
import { whileHeld } from './while-held.ts'

/** What Next calls for a method of a route. A path without parameters has none. */
export type Handler = (
  request: Request,
  context: { params: Promise<Params | undefined> }
) => Promise<Response>

/**
 * A door to a verb: who may come in, what they ask, and the verb's answer as JSON. The order is fixed: credential,
 * origin, role, then the input; a stranger learns nothing from what is wrong with their request. Where the path itself is
 * the credential, `judge` refuses it before the body is read: reading is work. It returns what the link is for.
 */
export function route<Input extends z.ZodType, Answer extends z.ZodType>(
  operation: Operation<Input, Answer>,
  verb: (ctx: Ctx, input: z.output<Input>) => Promise<z.output<Answer>>,
  judge?: (ctx: Ctx, params: Params) => Promise<string>
): Handler {
  const { status = 200, envelope = false } = operation
  return (request, { params }) =>
    readableByPage(request, operation, () =>
      answerWith(request, operation.path, async () => {
        const actor = await admit(request, operation)
        await heedLimit(actor)
        const named = await params
        const link = await judge?.(ctxFor(actor), named ?? {})
        return whileHeld(actor, link, async () => {
          const input = await readInput(request, named, operation)
          const result = await verb(ctxFor(actor), input)
          return jsonAnswer(envelope ? { ok: true, result } : result, status)
        })
      })
    )
}
