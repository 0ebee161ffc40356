import * as z from 'zod/mini'

/** Input of `ask-question` (001-20). */
export const Question = z.object({
  question: z.string().check(z.minLength(1), z.maxLength(4000)),
  inputType: z._default(z.enum(['single-select', 'multi-select', 'text']), 'single-select'),
  options: z.optional(
    z
      .array(
        z.object({
          label: z.string().check(z.minLength(1), z.maxLength(200)),
          description: z.optional(z.string().check(z.maxLength(1000)))
        })
      )
      .check(z.maxLength(50))
  ),
  allowFreeform: z._default(z.boolean(), true)
})
export type Question = z.infer<typeof Question>
