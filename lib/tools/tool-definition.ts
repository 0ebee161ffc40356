import type { ResolvedTool, ResolvedTools } from './resolve.ts'

/** What the model is told of a tool, as JSON. It is written once while the tool is held: the schemas of a server's hundred
 * tools are long. */
export function toolDefinition(tool: ResolvedTool): string {
  const { name, description, inputSchema } = tool
  const known = written.get(tool) ?? JSON.stringify({ name, description, inputSchema })
  written.set(tool, known)
  return known
}
const written = new WeakMap<ResolvedTool, string>()

/** The same of those of these names, as a JSON array. */
export const definitionsOf = (tools: ResolvedTools, names: readonly string[]): string =>
  `[${names
    .flatMap(name => tools.get(name) ?? [])
    .map(toolDefinition)
    .join(',')}]`
