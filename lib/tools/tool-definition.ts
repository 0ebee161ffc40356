import type { PromptTool } from '#lib/kernel/ports/hooks.ts'

/**
 * Returns a tool's definition as JSON, as the model receives it. It is cached for the lifetime of the tool object,
 * because a server's hundred schemas are long.
 */
export function toolDefinition(tool: PromptTool): string {
  const { name, description, inputSchema } = tool
  const definition = cachedDefinitions.get(tool) ?? JSON.stringify({ name, description, inputSchema })
  cachedDefinitions.set(tool, definition)
  return definition
}
const cachedDefinitions = new WeakMap<PromptTool, string>()

/** Returns tools as a JSON array. */
export const definitionsOf = (tools: readonly PromptTool[]): string =>
  `[${tools.map(toolDefinition).join(',')}]`
