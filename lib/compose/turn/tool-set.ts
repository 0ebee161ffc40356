import { jsonSchema, tool as sdkTool, type ToolSet } from 'ai'
import { type CheckBySchema, fitArguments } from '#lib/tools/fit-arguments.ts'
import type { ResolvedTools } from '#lib/tools/resolved-tool.ts'

/**
 * Converts the tools for the AI SDK. They have schemas but no `execute`, so a step ends with its calls
 * (docs/concepts/engine.md#steps).
 */
export const toolSet = (tools: ResolvedTools, check: CheckBySchema): ToolSet =>
  Object.fromEntries(
    [...tools.values()]
      .filter(({ hidden }) => !hidden)
      .map(tool => [
        tool.name,
        sdkTool({
          description: tool.description,
          inputSchema: jsonSchema(tool.inputSchema as never, {
            validate: async value => {
              const fitting = await fitArguments(tool, value, check)
              return fitting.ok
                ? { success: true, value: fitting.value }
                : { success: false, error: new Error(fitting.error) }
            }
          })
        })
      ])
  )
