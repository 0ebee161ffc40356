import type { ResolvedTool, ResolvedTools } from './resolved-tool.ts'

/**
 * Returns a tool's definition as JSON, as the model receives it. It is cached for the lifetime of the tool object,
 * because a server's hundred schemas are long.
 */
export function toolDefinition(tool: ResolvedTool): string {
  const { name, description, inputSchema } = tool
  const definition = cachedDefinitions.get(tool) ?? JSON.stringify({ name, description, inputSchema })
  cachedDefinitions.set(tool, definition)
  return definition
}
const cachedDefinitions = new WeakMap<ResolvedTool, string>()

/** Returns the definitions of the named tools as a JSON array. */
export const definitionsOf = (tools: ResolvedTools, names: readonly string[]): string =>
  `[${names
    .flatMap(name => tools.get(name) ?? [])
    .map(toolDefinition)
    .join(',')}]`
