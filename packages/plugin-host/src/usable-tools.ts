import type { PluginTools } from './tool-calls.ts'
import { toSingleLine } from './untrusted.ts'

/** Returns for each JSON Schema why it cannot be used for validation, or null if it can. */
export type FaultsOf = (schemas: readonly Record<string, unknown>[]) => Promise<(string | null)[]>

/** Moves tools whose schema cannot be used for validation to `skipped`, with the reason. */
export async function usableTools({ tools, skipped }: PluginTools, faultsOf: FaultsOf): Promise<PluginTools> {
  const faults = await faultsOf(tools.map(({ parameters }) => parameters))
  return {
    tools: tools.filter((_, index) => faults[index] === null),
    skipped: [
      ...skipped,
      ...tools.flatMap(({ name }, index) => {
        const fault = faults[index] ?? null
        return fault === null ? [] : [{ name, reason: `Its schema ${toSingleLine(fault, 300)}.` }]
      })
    ]
  }
}
