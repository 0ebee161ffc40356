import type { PromptTool } from '#lib/kernel/ports/hooks.ts'
import type { ResolvedTool, ResolvedTools } from './resolved-tool.ts'

/** Returns a tool as the model receives it. It is cached for the lifetime of the tool object. */
export function promptTool(tool: ResolvedTool): PromptTool {
  const { name, description, inputSchema } = tool
  const known = cachedTools.get(tool) ?? { name, description, inputSchema }
  cachedTools.set(tool, known)
  return known
}
const cachedTools = new WeakMap<ResolvedTool, PromptTool>()

/** Returns a tool as JSON. It is cached for the lifetime of the object, because a hundred schemas are long. */
export function toolDefinition(tool: PromptTool): string {
  const definition = cachedDefinitions.get(tool) ?? JSON.stringify(tool)
  cachedDefinitions.set(tool, definition)
  return definition
}
const cachedDefinitions = new WeakMap<PromptTool, string>()

/** Returns the tools that the model can call. */
export const promptTools = (tools: ResolvedTools): readonly PromptTool[] =>
  [...tools.values()].filter(({ hidden }) => !hidden).map(promptTool)

/** Returns tools as a JSON array. */
export const definitionsOf = (tools: readonly PromptTool[]): string =>
  `[${tools.map(toolDefinition).join(',')}]`
