import type { Schemas } from '@waystation/json-schemas'
import { problemText } from '@waystation/protocol/field-errors.ts'
import type { ResolvedTool } from './resolved-tool.ts'

/** Validates a value with a JSON Schema: `ports.schemas.check`, bound to one session. */
export type CheckBySchema = (schema: Record<string, unknown>, value: unknown) => ReturnType<Schemas['check']>

type FitResult = { ok: true; value: unknown } | { ok: false; error: string }

/** Validates a call's arguments. A built-in tool uses its own zod schema, every other tool its declared JSON Schema. */
export async function fitArguments(
  tool: ResolvedTool,
  value: unknown,
  check: CheckBySchema
): Promise<FitResult> {
  if (tool.server !== undefined && !tool.foreign) {
    const parsed = tool.server.input.safeParse(value)
    return parsed.success ? { ok: true, value: parsed.data } : { ok: false, error: problemText(parsed.error) }
  }
  const result = await check(tool.inputSchema, value)
  if (result.ok) return result
  const errors = Object.entries(result.fields).map(([path, must]) => (path === '' ? must : `${path} ${must}`))
  return { ok: false, error: errors.join('; ') }
}
