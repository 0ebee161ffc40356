import { isHandOff } from '@waystation/protocol/agent/hand-off.ts'
import type { BrowserTool, ServerTool } from '@waystation/tools'
import { z } from 'zod'
import { acknowledge } from '#lib/tools/acknowledge.ts'

/** A tool as `defineTool` returns it. */
export type DefinedTool = ServerTool | BrowserTool

const fn = (problem: string) => z.custom(value => typeof value === 'function', problem)

/** A schema of this or another copy of zod 4. */
const schema = z.custom<z.ZodType>(
  value => typeof value === 'object' && value !== null && '_zod' in value && 'safeParse' in value,
  'must be a schema of zod 4'
)

const common = {
  name: z
    .string('must be a text')
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'can have only letters, digits, - and _, and up to 64 of them')
    .refine(
      name => name !== acknowledge.name && !isHandOff(name),
      'is reserved for a tool of the server. Use another name'
    ),
  description: z
    .string('must be a text')
    .trim()
    .min(1, 'must not be empty')
    .max(4000, 'can have up to 4,000 characters'),
  inputSchema: schema.superRefine((value, ctx) => {
    const problem = jsonProblem(value)
    if (problem !== undefined) ctx.addIssue(problem)
    else if (jsonOf(value).type !== 'object') ctx.addIssue('must be an object, such as z.object({…})')
  }),
  approval: z.enum(['ask', 'auto'], 'must be ask or auto').optional()
}

const seconds = 'must be a number of seconds from 1 to 3600'

const Server = z.strictObject({
  ...common,
  where: z.literal('server').optional(),
  outputSchema: schema.optional(),
  timeout: z.number(seconds).min(1, seconds).max(3600, seconds).optional(),
  repeatable: z.boolean('must be true or false').optional(),
  execute: fn('must be a function that returns the result')
})

const Browser = z.strictObject({
  ...common,
  where: z.literal('browser'),
  outputSchema: schema
    .superRefine((value, ctx) => {
      const problem = jsonProblem(value)
      if (problem !== undefined) ctx.addIssue(problem)
    })
    .optional()
})

const Where = z.looseObject({
  where: z
    .enum(
      ['server', 'browser'],
      'must be server or browser. For an external service, add an external tool to the agent. To ask people, use ask-question'
    )
    .optional()
})

const jsonOf = (value: z.ZodType) => z.toJSONSchema(value, { io: 'input' })

/** Returns why a schema cannot be converted to JSON Schema, which models and clients receive. */
function jsonProblem(value: z.ZodType): string | undefined {
  try {
    jsonOf(value)
    return undefined
  } catch (error) {
    return `cannot be written as JSON Schema: ${error instanceof Error ? error.message : String(error)}`
  }
}

/**
 * Reads one tool or a list of tools from an operator's module. Returns a text with the problem, which starts with the
 * name of the field, if one is wrong.
 */
export function readTools(value: unknown): readonly DefinedTool[] | string {
  const list = Array.isArray(value) ? value : [value]
  for (const [index, tool] of list.entries()) {
    const place = Where.safeParse(tool)
    const shape = place.success && place.data.where === 'browser' ? Browser : Server
    const { error } = place.success ? shape.safeParse(tool) : place
    const [issue] = error?.issues ?? []
    if (issue === undefined) continue
    const path = [...(Array.isArray(value) ? [index] : []), ...issue.path]
    const problem =
      issue.code === 'unrecognized_keys'
        ? `${[...path, issue.keys[0]].join('.')} is not a field of a ${shape === Browser ? 'browser' : 'server'} tool`
        : `${path.join('.') || 'it'} ${issue.code === 'invalid_type' && issue.path.length === 0 ? 'must be an object of defineTool' : issue.message}`
    return problem
  }
  // The exported objects, not parsed copies, because `execute` may use `this`.
  return list as readonly DefinedTool[]
}
