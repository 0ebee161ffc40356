import type { RunnableChat } from '@waystation/protocol/agent/agent.ts'
import { describeTools } from '@waystation/text-tools'
import { guidanceFor } from '#lib/engine/turn/prompt.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { ResolvedTool, ResolvedTools } from './resolved-tool.ts'
import { toolDefinition } from './tool-definition.ts'

/**
 * Returns the tokens of an agent's system prompt by the heuristic of 001-17: its instructions, and our guidance about
 * pending calls.
 */
export const systemTokens = ({ instructions, userAfterTools, toolCalling }: RunnableChat): number =>
  countTokens(`${instructions}\n\n${guidanceFor(userAfterTools ?? true)}`) +
  (toolCalling === 'text' ? countTokens(describeTools([])) : 0)

/** Returns the tokens of the tools in the prompt: names, descriptions and schemas. */
export const toolsTokens = (tools: ResolvedTools): number =>
  [...tools.values()].reduce((sum, tool) => sum + (tool.hidden ? 0 : toolTokens(tool)), 0)

/** The count is cached for the lifetime of the tool object. */
function toolTokens(tool: ResolvedTool): number {
  const count = cachedCounts.get(tool) ?? countTokens(toolDefinition(tool))
  cachedCounts.set(tool, count)
  return count
}
const cachedCounts = new WeakMap<ResolvedTool, number>()
