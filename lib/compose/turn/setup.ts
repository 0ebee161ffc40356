import { hash } from 'node:crypto'
import type { ChatAgent, RunnableChat } from '@waystation/protocol/agent/agent.ts'
import type { DeclaredTool } from '@waystation/protocol/session/session.ts'
import { LRUCache } from 'lru-cache'
import { applyOverlay } from '#lib/agents/overlay/apply-overlay.ts'
import { resolveAgent } from '#lib/agents/resolve-agent.ts'
import type { ContextEntry } from '#lib/engine/turn/turn.ts'
import type { RunningAgent } from '#lib/engine/worker/running-agent.ts'
import { accountOfList } from '#lib/features/connections/mcp/list-mcp.ts'
import type { Ctx, Ports } from '#lib/kernel/ctx.ts'
import { sessionNote } from '#lib/sessions/context/session-note.ts'
import { agentTools, sourcesOf } from '#lib/tools/agent-tools.ts'
import { systemTokens, toolsTokens } from '#lib/tools/prompt-size.ts'
import { resolveTools, withAcknowledge } from '#lib/tools/resolve.ts'
import type { ResolvedTools } from '#lib/tools/resolved-tool.ts'

/** The configuration that a session's turns use: its agent, with its tools. Immutable. */
export type Setup = {
  readonly running: RunningAgent<ChatAgent>
  readonly chat: RunnableChat
  readonly tools: ResolvedTools
  /** The server's tools that `tools` are from. */
  readonly serverTools: Ports['tools']
  /** The accounts for which MCP servers listed their tools. Undefined: they were not asked. */
  readonly listedFor: string | undefined
  /** Tokens of instructions and tools, which the prompt has in addition to the context window. */
  readonly fixedTokens: number
}

type Resolved = Pick<Setup, 'chat' | 'tools' | 'serverTools' | 'fixedTokens'>

/**
 * The resolved configurations of a process, by the hash of all they depend on. It contains agents whose tools
 * and texts depend on nothing else: no embeds, no tools of MCP servers, plugins or other agents, and no tool that the
 * server can switch off. Their turns resolve nothing. The size is in characters of JSON.
 */
export type Setups = LRUCache<string, Resolved>

export const createSetups = (): Setups => new LRUCache({ maxSize: 8_000_000 })

/** A generation of a session, and the tools that its clients declared. */
type Generation = { sessionKey: number; generation: number; clientTools: readonly DeclaredTool[] }

/**
 * Returns the setup for the start of a turn. MCP servers are asked only after the step has started, when the
 * users who requested it are known.
 */
export async function createSetup(
  ctx: Ctx,
  setups: Setups,
  sessionGeneration: Generation,
  running: RunningAgent<ChatAgent>
): Promise<Setup> {
  const { clientTools } = sessionGeneration
  const source = JSON.stringify([running.config.chat, running.overlay, clientTools])
  const key = hash('sha256', source)
  const known = setups.get(key)
  const serverTools = ctx.ports.tools
  if (known?.serverTools === serverTools)
    return withSessionNote(ctx, sessionGeneration, { ...known, running, listedFor: undefined })
  const configured = applyOverlay(running.config.chat, running.overlay)
  const chat = await resolveAgent(ctx, configured)
  const sources = await sourcesOf(ctx, sessionGeneration, chat, { queryMcp: false })
  const tools = resolveTools(ctx.ports, chat.tools, clientTools, chat.answer, sources)
  const resolved = { chat, tools, serverTools, fixedTokens: countFixed(chat, tools) }
  const dependsOnNothingElse =
    chat === configured && sources.length === 0 && ![...tools.values()].some(({ server }) => server?.off)
  if (dependsOnNothingElse) setups.set(key, resolved, { size: source.length })
  return withSessionNote(ctx, sessionGeneration, { ...resolved, running, listedFor: undefined })
}

/** Adds the names of the session and its parent to the instructions, if a tool needs them. */
async function withSessionNote(ctx: Ctx, { sessionKey }: Generation, setup: Setup): Promise<Setup> {
  const note = await sessionNote(ctx, sessionKey, setup.tools)
  if (note === undefined) return setup
  const instructions = [setup.chat.instructions, note].filter(text => text !== '').join('\n\n')
  const chat = { ...setup.chat, instructions }
  return { ...setup, chat, fixedTokens: countFixed(chat, setup.tools) }
}

/**
 * Returns the setup of a step or of running calls. It is a new one if the session's revision or overlay has
 * changed, if the server's tools were loaded again, or if other users requested this step, because MCP servers may have other tools for them.
 */
export async function refreshSetup(
  ctx: Ctx,
  sessionGeneration: Generation,
  setup: Setup,
  running: RunningAgent<ChatAgent> = setup.running
): Promise<Setup> {
  const serverTools = ctx.ports.tools
  const isSame = running === setup.running && serverTools === setup.serverTools
  const chat = isSame
    ? setup.chat
    : await resolveAgent(ctx, applyOverlay(running.config.chat, running.overlay))
  const listedFor = chat.tools.some(tool => 'mcp' in tool)
    ? JSON.stringify(await accountOfList(ctx, sessionGeneration))
    : undefined
  if (isSame && listedFor === setup.listedFor) return setup
  const tools = await agentTools(ctx, sessionGeneration, chat, sessionGeneration.clientTools)
  const refreshed = { running, chat, tools, serverTools, listedFor, fixedTokens: countFixed(chat, tools) }
  // The instructions of an unchanged configuration have the note already.
  return isSame ? refreshed : withSessionNote(ctx, sessionGeneration, refreshed)
}

/** Returns the setup with the tool for out-of-band messages, which these entries contain. */
export function withAcknowledgeFor(entries: readonly ContextEntry[], setup: Setup): Setup {
  if (!entries.some(({ kind }) => kind === 'oob')) return setup
  const tools = withAcknowledge(setup.tools)
  return { ...setup, tools, fixedTokens: countFixed(setup.chat, tools) }
}

const countFixed = (chat: RunnableChat, tools: ResolvedTools): number =>
  systemTokens(chat) + toolsTokens(tools)
