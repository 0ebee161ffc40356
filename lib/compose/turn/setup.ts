import type { ChatAgent, RunnableChat } from '@waystation/protocol/agent/agent.ts'
import type { DeclaredTool } from '@waystation/protocol/session/session.ts'
import { applyOverlay } from '#lib/agents/overlay/apply-overlay.ts'
import { resolveAgent } from '#lib/agents/resolve-agent.ts'
import type { RunningAgent } from '#lib/engine/worker/running-agent.ts'
import { accountOfList } from '#lib/features/connections/mcp/list-mcp.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { agentTools } from '#lib/tools/agent-tools.ts'
import { systemTokens, toolsTokens } from '#lib/tools/prompt-size.ts'
import type { ResolvedTools } from '#lib/tools/resolve.ts'

/** The configuration that a session's turns use: its agent, with its tools. Immutable. */
export type Setup = {
  readonly running: RunningAgent<ChatAgent>
  readonly chat: RunnableChat
  readonly tools: ResolvedTools
  /** The accounts for which MCP servers listed their tools. Undefined: they were not asked. */
  readonly listedFor: string | undefined
}

/** A generation of a session, and the tools that its clients declared. */
type Generation = { sessionKey: number; generation: number; clientTools: readonly DeclaredTool[] }

/**
 * Returns the setup for the start of a turn. MCP servers are asked only after the step has started, when the
 * users who requested it are known.
 */
export async function createSetup(
  ctx: Ctx,
  sessionGeneration: Generation,
  running: RunningAgent<ChatAgent>
): Promise<Setup> {
  const chat = await resolveAgent(ctx, applyOverlay(running.config.chat, running.overlay))
  const tools = await agentTools(ctx, sessionGeneration, chat, sessionGeneration.clientTools, {
    queryMcp: false
  })
  return { running, chat, tools, listedFor: undefined }
}

/**
 * Returns the setup of a step or of running calls. It is a new one if the session's revision or overlay has
 * changed, or if other users requested this step, because MCP servers may have other tools for them.
 */
export async function refreshSetup(
  ctx: Ctx,
  sessionGeneration: Generation,
  setup: Setup,
  running: RunningAgent<ChatAgent> = setup.running
): Promise<Setup> {
  const isSame = running === setup.running
  const chat = isSame
    ? setup.chat
    : await resolveAgent(ctx, applyOverlay(running.config.chat, running.overlay))
  const listedFor = chat.tools.some(tool => 'mcp' in tool)
    ? JSON.stringify(await accountOfList(ctx, sessionGeneration))
    : undefined
  if (isSame && listedFor === setup.listedFor) return setup
  return {
    running,
    chat,
    tools: await agentTools(ctx, sessionGeneration, chat, sessionGeneration.clientTools),
    listedFor
  }
}

/** Counts the tokens of instructions and tools, which the prompt has in addition to the context window. */
export const fixedTokens = ({ chat, tools }: Setup): number => systemTokens(chat) + toolsTokens(tools)
