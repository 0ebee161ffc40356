import type { z } from 'zod'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/house.ts'
import { admit } from './admit.ts'
import { answerWith } from './answer-with.ts'
import { heedLimit } from './heed-limit.ts'
import type { Operation } from './operation.ts'
import { readInput } from './read-input.ts'
import type { Handler } from './route.ts'

/** What a file is called, and what it says it is. */
type FileOf = { name: string; type: string }

/**
 * A door to a verb whose answer is a file's text. A browser keeps it and never shows it: it may be a page with scripts, which
 * are not ours.
 */
export function fileRoute<Input extends z.ZodType>(
  operation: Operation<Input, z.ZodString>,
  verb: (ctx: Ctx, input: z.output<Input>) => Promise<string>,
  fileOf: (input: z.output<Input>) => FileOf
): Handler {
  return (request, { params }) =>
    answerWith(request, operation.path, async () => {
      const actor = await admit(request, operation)
      await heedLimit(actor)
      const input = await readInput(request, await params, operation)
      const text = await verb(ctxFor(actor), input)
      const { name, type } = fileOf(input)
      return new Response(text, {
        headers: {
          'content-type': type,
          'content-disposition': `attachment; filename="${name.replaceAll(/[^A-Za-z0-9._-]+/g, '-')}"`,
          'content-security-policy': "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
          'cache-control': 'no-store'
        }
      })
    })
}
