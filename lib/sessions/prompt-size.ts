import { countTokens } from '#lib/models/count-tokens.ts'
import type { RunnableChat } from '#lib/protocol/agent.ts'
import type { ResolvedTool, ResolvedTools } from '#lib/tools/resolve.ts'
import { guidanceFor } from '#lib/turn/prompt.ts'

/** What stands before every prompt of an agent, by the heuristic of 001-17: its instructions, and ours about waiting. */
export const systemTokens = ({ instructions, userAfterTools }: RunnableChat): number =>
  countTokens(`${instructions}\n\n${guidanceFor(userAfterTools ?? true)}`)

/** What the model is told of its tools: their names, descriptions and schemas. */
export const toolsTokens = (tools: ResolvedTools): number =>
  [...tools.values()].reduce((sum, tool) => sum + (tool.hidden ? 0 : toolTokens(tool)), 0)

/** A tool is counted once while it is held: the schemas of a server's hundred tools are long. */
function toolTokens(tool: ResolvedTool): number {
  const { name, description, inputSchema } = tool
  const known = counted.get(tool) ?? countTokens(JSON.stringify({ name, description, inputSchema }))
  counted.set(tool, known)
  return known
}
const counted = new WeakMap<ResolvedTool, number>()
