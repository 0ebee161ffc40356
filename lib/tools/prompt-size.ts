import { guidanceFor } from '#lib/engine/turn/prompt.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import { tellTools } from '#lib/models/text-tools/tell-tools.ts'
import type { RunnableChat } from '#lib/protocol/agent/agent.ts'
import type { ResolvedTool, ResolvedTools } from './resolve.ts'
import { toolDefinition } from './tool-definition.ts'

/** What stands before every prompt of an agent, by the heuristic of 001-17: its instructions, and ours about waiting. */
export const systemTokens = ({ instructions, userAfterTools, toolCalling }: RunnableChat): number =>
  countTokens(`${instructions}\n\n${guidanceFor(userAfterTools ?? true)}`) +
  (toolCalling === 'text' ? countTokens(tellTools([])) : 0)

/** What the model is told of its tools: their names, descriptions and schemas. */
export const toolsTokens = (tools: ResolvedTools): number =>
  [...tools.values()].reduce((sum, tool) => sum + (tool.hidden ? 0 : toolTokens(tool)), 0)

/** A tool is counted once while it is held. */
function toolTokens(tool: ResolvedTool): number {
  const known = counted.get(tool) ?? countTokens(toolDefinition(tool))
  counted.set(tool, known)
  return known
}
const counted = new WeakMap<ResolvedTool, number>()
