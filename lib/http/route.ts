import type { z } from 'zod'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Operation } from './operation.ts'
import { type Handler, raw } from './raw.ts'
import { type Params, readInput } from './request/read-input.ts'
import { jsonResponse } from './response/json-response.ts'

/**
 * Makes the handler of an operation whose verb takes and returns JSON. If the path itself is the credential, `precheck`
 * checks it before the body is read. It returns what the link targets, and throws if the credential is invalid.
 */
export function route<Input extends z.ZodType, Answer extends z.ZodType>(
  operation: Operation<Input, Answer>,
  verb: (ctx: Ctx, input: z.output<Input>) => Promise<z.output<Answer>>,
  precheck?: (ctx: Ctx, params: Params) => Promise<string>
): Handler {
  const { status = 200, envelope = false } = operation
  return raw(
    operation,
    async ({ request, params, ctx }) => {
      const result = await verb(ctx, await readInput(request, params, operation))
      return jsonResponse(envelope ? { ok: true, result } : result, status)
    },
    precheck && {
      precheck: async ({ ctx, params }) => ({ input: undefined, link: await precheck(ctx, params) })
    }
  )
}
