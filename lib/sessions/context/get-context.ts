import { ApiError } from '@waystation/base/api-error.ts'
import type { RunnableChat } from '@waystation/protocol/agent/agent.ts'
import type {
  ContextView,
  GetContext,
  ShownMessage,
  TokenBreakdown
} from '@waystation/protocol/session/context.ts'
import { applyOverlay } from '#lib/agents/overlay/apply-overlay.ts'
import { resolveAgent } from '#lib/agents/resolve-agent.ts'
import { readEntries } from '#lib/engine/context/context-entries.ts'
import { entryOf } from '#lib/engine/context/window-cache.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import { promptOf } from '#lib/engine/turn/prompt.ts'
import type { ContextEntry } from '#lib/engine/turn/turn.ts'
import { agentOfSessionIfAny, type RunningAgent } from '#lib/engine/worker/running-agent.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { tokenRatio } from '#lib/kernel/token-ratio.ts'
import { agentTools } from '#lib/tools/agent-tools.ts'
import { systemTokens, toolsTokens } from '#lib/tools/prompt-size.ts'
import { withAcknowledge } from '#lib/tools/resolve.ts'
import { expiredTokens } from './expired-tokens.ts'
import { sessionNote } from './session-note.ts'
import { type WindowFigures, windowFigures } from './window-figures.ts'

/** The default number of newest entries, and the most characters of each message in them. */
const defaultEntries = 50
const maxChars = 20_000

/**
 * Returns the prompt that the next step would send: token figures, and the newest entries in order. The agent's
 * instructions are only counted, because they are part of its configuration.
 */
export async function getContext(ctx: Ctx, input: GetContext): Promise<ContextView> {
  const { sessionId, shown: maxShown = defaultEntries } = input
  const key = await sessionKeyOf(ctx, sessionId)
  const [figures, running] = await Promise.all([
    windowFigures(ctx, key, maxShown),
    agentOfSessionIfAny(ctx, key)
  ])
  const { summary, compaction, shortOob, entries } = figures
  const expired = figures.fleeting
    ? expiredTokens((await readEntries(ctx, key, 0)).map(entryOf), countTokens)
    : noTokens
  const [user, assistant, toolResults, outOfBand, notes] = (
    ['user', 'assistant', 'toolResults', 'outOfBand', 'notes'] as const
  ).map(kind => Math.max(0, figures[kind] - expired[kind])) as [number, number, number, number, number]
  const tokens = user + assistant + toolResults + outOfBand + notes
  const chat = await runnableChat(ctx, running)
  const fixed = chat === undefined ? { system: 0, tools: 0 } : await fixedTokens(ctx, key, chat, figures)
  const breakdown: TokenBreakdown = {
    system: fixed.system + notes,
    tools: fixed.tools,
    summary: countTokens(summary),
    user,
    assistant,
    toolResults,
    outOfBand
  }
  const estimated = Object.values(breakdown).reduce((sum, count) => sum + count, 0)
  const ratio = chat === undefined ? 1 : tokenRatio(figures.usage, chat.model)
  const shown = maxShown === 0 ? [] : (await readEntries(ctx, key, figures.before)).map(entryOf)
  return {
    tokens,
    entries,
    breakdown,
    estimated,
    corrected: Math.round(estimated * ratio),
    ratio,
    ...(chat === undefined
      ? {}
      : { contextTokens: chat.limits.contextTokens, instructionsTokens: fixed.system }),
    ...(summary === '' ? {} : { summary: { text: summary, tokens: breakdown.summary } }),
    ...(compaction === null
      ? {}
      : { compaction: { ...compaction, at: new Date(compaction.at).toISOString() } }),
    shown: shown.map(entry => ({
      id: entry.id,
      kind: entry.kind,
      tokens: entry.tokens,
      stillWaiting: stillWaitingIn(entry),
      messages: promptOf([entry], { shortOob }).map(message => shortened(message.role, message.content))
    }))
  }
}

/** Without entries that expire, no tokens have expired. */
const noTokens = { user: 0, assistant: 0, toolResults: 0, outOfBand: 0, notes: 0 }

/**
 * Counts the tokens before the context window, which each step sends. It does not ask MCP servers for their tools, and
 * counts the known ones.
 */
async function fixedTokens(ctx: Ctx, sessionKey: number, chat: RunnableChat, figures: WindowFigures) {
  const { generation, clientTools, outOfBand } = figures
  const tools = await agentTools(ctx, { sessionKey, generation }, chat, clientTools, { queryServers: false })
  const note = (await sessionNote(ctx, sessionKey, tools)) ?? ''
  return {
    system: systemTokens(chat) + countTokens(note),
    tools: toolsTokens(outOfBand > 0 ? withAcknowledge(tools) : tools)
  }
}

/** Returns a chat agent's configuration as a turn runs it. If its embeds cannot be resolved, they are left out. */
async function runnableChat(ctx: Ctx, agent: RunningAgent | undefined): Promise<RunnableChat | undefined> {
  if (agent?.config.type !== 'chat') return undefined
  const { chat } = agent.config
  try {
    return await resolveAgent(ctx, applyOverlay(chat, agent.overlay))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { ...chat, tools: chat.tools.flatMap(tool => ('@ag.embed' in tool ? [] : [tool])) }
  }
}

/**
 * Returns the calls whose result in this entry is "still waiting". `answered` means that the answer is, or will be, in
 * a later entry.
 */
const stillWaitingIn = (entry: ContextEntry) =>
  entry.kind !== 'step'
    ? []
    : entry.calls
        .filter(call => call.deferred || call.result === null)
        .map(({ toolCallId, toolName, result }) => ({ toolCallId, toolName, answered: result !== null }))

function shortened(role: ShownMessage['role'], content: unknown): ShownMessage {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
  if (text.length <= maxChars) return { role, content: typeof content === 'string' ? text : content }
  return { role, content: text.slice(0, maxChars), cut: text.length - maxChars }
}
