import type { Schemas } from '#lib/kernel/ctx.ts'
import type { ResolvedTool } from './resolve.ts'

/** Checks a value by a JSON Schema: `ports.schemas.check` of one session. */
export type CheckBySchema = (schema: Record<string, unknown>, value: unknown) => ReturnType<Schemas['check']>

type Fitting = { ok: true; value: unknown } | { ok: false; words: string }

/** Arguments as a tool takes them: a built-in checks by its own schema, every other one by that which it was declared with. */
export async function fitArguments(
  tool: ResolvedTool,
  value: unknown,
  check: CheckBySchema
): Promise<Fitting> {
  if (tool.server !== undefined && !tool.foreign) {
    const parsed = tool.server.input.safeParse(value)
    return parsed.success ? { ok: true, value: parsed.data } : { ok: false, words: parsed.error.message }
  }
  const checked = await check(tool.inputSchema, value)
  if (checked.ok) return checked
  const words = Object.entries(checked.fields).map(([at, must]) => (at === '' ? must : `${at} ${must}`))
  return { ok: false, words: words.join('; ') }
}
