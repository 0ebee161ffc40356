import { jsonSchema, tool as sdkTool, type ToolSet } from 'ai'
import { isTooLarge } from '#lib/engine/turn/model-step.ts'
import type { ModelCall } from '#lib/engine/turn/turn.ts'
import type { PromptTool } from '#lib/kernel/ports/hooks.ts'
import { type CheckBySchema, fitArguments } from '#lib/tools/fit-arguments.ts'
import type { ResolvedTool, ResolvedTools } from '#lib/tools/resolved-tool.ts'

/** Returns the tools that the model can call. Each is cached for the lifetime of its tool object. */
export const promptTools = (tools: ResolvedTools): readonly PromptTool[] =>
  [...tools.values()].flatMap(tool => {
    if (tool.hidden) return []
    const { name, description, inputSchema } = tool
    const prompted = cachedTools.get(tool) ?? { name, description, inputSchema }
    cachedTools.set(tool, prompted)
    return [prompted]
  })
const cachedTools = new WeakMap<ResolvedTool, PromptTool>()

/**
 * Converts the tools of a prompt for the AI SDK. They have schemas but no `execute`, so a step ends with its calls
 * (docs/concepts/engine.md#steps). Plugins can change what the model reads. The agent's own definition of a tool
 * validates the calls, and tools that the agent does not have are left out.
 */
export const toolSet = (
  prompted: readonly PromptTool[],
  tools: ResolvedTools,
  check: CheckBySchema
): ToolSet =>
  Object.fromEntries(
    prompted.flatMap(({ name, description, inputSchema }) => {
      const tool = callableTool(tools, name)
      if (tool === undefined) return []
      const validate = async (value: unknown) => {
        const fitting = await fitArguments(tool, value, check)
        return fitting.ok
          ? { success: true as const, value: fitting.value }
          : { success: false as const, error: new Error(fitting.error) }
      }
      return [
        [name, sdkTool({ description, inputSchema: jsonSchema(inputSchema as never, { validate }) })] as const
      ]
    })
  )

/** Validates a call that a plugin made or changed. An invalid call gets an error for the model. */
export async function checkCall(
  call: ModelCall,
  tools: ResolvedTools,
  check: CheckBySchema
): Promise<ModelCall> {
  if (call.error !== undefined) return call
  if (isTooLarge(call.input)) return { ...call, input: {}, error: 'The arguments are too long.' }
  const tool = callableTool(tools, call.toolName)
  if (tool === undefined) return { ...call, error: `There is no tool "${call.toolName}".` }
  const fitting = await fitArguments(tool, call.input, check)
  return fitting.ok ? { ...call, input: fitting.value } : { ...call, error: fitting.error }
}

function callableTool(tools: ResolvedTools, name: string): ResolvedTool | undefined {
  const tool = tools.get(name)
  return tool?.hidden ? undefined : tool
}
