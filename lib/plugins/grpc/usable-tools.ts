import type { PluginTools } from './ask-tools.ts'
import { wordsOf } from './untrusted.ts'

/** Of each JSON Schema, why nothing can be checked by it; null where something can. */
export type FaultsOf = (schemas: readonly Record<string, unknown>[]) => Promise<(string | null)[]>

/** A plugin's tools without those whose schema nothing can be checked by, which are skipped with the reason. */
export async function usableTools({ tools, skipped }: PluginTools, faultsOf: FaultsOf): Promise<PluginTools> {
  const faults = await faultsOf(tools.map(({ parameters }) => parameters))
  return {
    tools: tools.filter((_, n) => faults[n] === null),
    skipped: [
      ...skipped,
      ...tools.flatMap(({ name }, n) => {
        const fault = faults[n] ?? null
        return fault === null ? [] : [{ name, reason: `Its schema ${wordsOf(fault, 300)}.` }]
      })
    ]
  }
}
