import type { Schemas } from '@waystation/json-schemas'
import { problemText } from '@waystation/protocol/field-errors.ts'
import { z } from 'zod'
import type { ResolvedTool } from './resolved-tool.ts'
import type { Tool } from './tool.ts'

/** Validates a value with a JSON Schema: `ports.schemas.check`, bound to one session. */
export type CheckBySchema = (schema: Record<string, unknown>, value: unknown) => ReturnType<Schemas['check']>

type FitResult = { ok: true; value: unknown } | { ok: false; error: string }

/** Validates arguments with a tool's own schema. If a check of the schema throws, they are not valid. */
export function parseInput({ input }: Tool, value: unknown): z.ZodSafeParseResult<unknown> {
  try {
    return input.safeParse(value)
  } catch (error) {
    const message = `could not be checked: ${error instanceof Error ? error.message : String(error)}`
    return { success: false, error: new z.ZodError([{ code: 'custom', path: [], message, input: value }]) }
  }
}

/** Validates a call's arguments. A built-in tool uses its own zod schema, every other tool its declared JSON Schema. */
export async function fitArguments(
  tool: ResolvedTool,
  value: unknown,
  check: CheckBySchema
): Promise<FitResult> {
  if (tool.server !== undefined && !tool.foreign) {
    const parsed = parseInput(tool.server, value)
    if (!parsed.success) return { ok: false, error: problemText(parsed.error) }
    return { ok: true, value: tool.server.parsesInput ? value : parsed.data }
  }
  const result = await check(tool.inputSchema, value)
  if (result.ok) return result
  const errors = Object.entries(result.fields).map(([path, must]) => (path === '' ? must : `${path} ${must}`))
  return { ok: false, error: errors.join('; ') }
}
