import { laidOver } from '#lib/agents/overlay/lay-over.ts'
import { resolveAgent } from '#lib/agents/resolve-agent.ts'
import type { RunningAgent } from '#lib/engine/worker/running-agent.ts'
import { accountOfList } from '#lib/features/connections/mcp/list-mcp.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ChatAgent, RunnableChat } from '#lib/protocol/agent/agent.ts'
import type { DeclaredTool } from '#lib/protocol/session/session.ts'
import { agentTools } from '#lib/tools/agent-tools.ts'
import { systemTokens, toolsTokens } from '#lib/tools/prompt-size.ts'
import type { ResolvedTools } from '#lib/tools/resolve.ts'

/** What a session's turns run on: its agent, with what it can call. It does not change. */
export type Setup = {
  readonly running: RunningAgent<ChatAgent>
  readonly chat: RunnableChat
  readonly tools: ResolvedTools
  /** For whom MCP servers were asked for their tools; undefined: they were not asked. */
  readonly listedFor: string | undefined
}

/** A life of a session, and the tools that its clients declared. */
type Life = { sessionKey: number; generation: number; clientTools: readonly DeclaredTool[] }

/** The setup with which a turn begins. Who asked for the turn is known once its step has begun: only then MCP servers are asked. */
export async function setUp(ctx: Ctx, life: Life, running: RunningAgent<ChatAgent>): Promise<Setup> {
  const chat = await resolveAgent(ctx, laidOver(running.config.chat, running.overlay))
  const tools = await agentTools(ctx, life, chat, life.clientTools, { asksMcp: false })
  return { running, chat, tools, listedFor: undefined }
}

/**
 * The setup of a step or of calls that run: another one where the session runs on another revision or under another overlay now,
 * or where other people asked for this step, for whom MCP servers may have other tools.
 */
export async function refreshed(
  ctx: Ctx,
  life: Life,
  setup: Setup,
  running: RunningAgent<ChatAgent> = setup.running
): Promise<Setup> {
  const isSame = running === setup.running
  const chat = isSame ? setup.chat : await resolveAgent(ctx, laidOver(running.config.chat, running.overlay))
  const listedFor = chat.tools.some(tool => 'mcp' in tool)
    ? JSON.stringify(await accountOfList(ctx, life))
    : undefined
  if (isSame && listedFor === setup.listedFor) return setup
  return { running, chat, tools: await agentTools(ctx, life, chat, life.clientTools), listedFor }
}

/** The tokens of instructions and tools, which stand in the prompt beside the window. */
export const fixedTokens = ({ chat, tools }: Setup): number => systemTokens(chat) + toolsTokens(tools)
