import type { PluginTools } from './tool-calls.ts'
import { toSingleLine } from './untrusted.ts'

/** Returns for each JSON Schema why it cannot be used for validation, or null if it can. */
export type ErrorsOf = (schemas: readonly Record<string, unknown>[]) => Promise<(string | null)[]>

/** Moves tools whose schema cannot be used for validation to `skipped`, with the reason. */
export async function usableTools({ tools, skipped }: PluginTools, errorsOf: ErrorsOf): Promise<PluginTools> {
  const errors = await errorsOf(tools.map(({ parameters }) => parameters))
  return {
    tools: tools.filter((_, index) => errors[index] === null),
    skipped: [
      ...skipped,
      ...tools.flatMap(({ name }, index) => {
        const error = errors[index] ?? null
        return error === null ? [] : [{ name, reason: `Its schema ${toSingleLine(error, 300)}.` }]
      })
    ]
  }
}
