import { laidOver } from '#lib/agents/overlay/lay-over.ts'
import { resolveAgent } from '#lib/agents/resolve-agent.ts'
import { readEntries } from '#lib/engine/context/context-entries.ts'
import { tokenRatio } from '#lib/engine/context/token-ratio.ts'
import { entryOf } from '#lib/engine/context/window-cache.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import { promptOf } from '#lib/engine/turn/prompt.ts'
import { expiredTokens } from '#lib/engine/turn/ttl.ts'
import type { ContextEntry } from '#lib/engine/turn/turn.ts'
import { agentOfSessionIfAny, type RunningAgent } from '#lib/engine/worker/running-agent.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { RunnableChat } from '#lib/protocol/agent/agent.ts'
import type { ContextView, GetContext, ShownMessage, TokenBreakdown } from '#lib/protocol/session/context.ts'
import { agentTools } from '#lib/tools/agent-tools.ts'
import { systemTokens, toolsTokens } from '#lib/tools/prompt-size.ts'
import { withAcknowledge } from '#lib/tools/resolve.ts'
import { type WindowFigures, windowFigures } from './window-figures.ts'

/** How many of the newest entries are told, and how many characters of each of their messages. */
const mostEntries = 50
const mostCharacters = 20_000

/**
 * The prompt as a step that began now would send it, in figures, and entry by entry, oldest first: the newest,
 * and how many there are before them. The agent's own instructions are counted, not told: they are its configuration.
 */
export async function getContext(ctx: Ctx, input: GetContext): Promise<ContextView> {
  const { sessionId, shown: most = mostEntries } = input
  const key = await sessionKeyOf(ctx, sessionId)
  const [figures, running] = await Promise.all([windowFigures(ctx, key, most), agentOfSessionIfAny(ctx, key)])
  const { summary, compaction, oobStart, entries } = figures
  const over = figures.fleeting
    ? expiredTokens((await readEntries(ctx, key, 0)).map(entryOf), countTokens)
    : none
  const [user, assistant, toolResults, outOfBand, notes] = (
    ['user', 'assistant', 'toolResults', 'outOfBand', 'notes'] as const
  ).map(kind => Math.max(0, figures[kind] - over[kind])) as [number, number, number, number, number]
  const tokens = user + assistant + toolResults + outOfBand + notes
  const chat = await runnable(ctx, running)
  const fixed = chat === undefined ? { system: 0, tools: 0 } : await fixedOf(ctx, key, chat, figures)
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
  const shown = most === 0 ? [] : (await readEntries(ctx, key, figures.before)).map(entryOf)
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
      messages: promptOf([entry], { oobStart }).map(message => shortened(message.role, message.content))
    }))
  }
}

/** Nothing is over where nothing has a duration. */
const none = { user: 0, assistant: 0, toolResults: 0, outOfBand: 0, notes: 0 }

/** What stands before the window at every step. No server is asked for its tools: those that are known are counted. */
async function fixedOf(ctx: Ctx, sessionKey: number, chat: RunnableChat, figures: WindowFigures) {
  const { generation, clientTools, outOfBand } = figures
  const tools = await agentTools(ctx, { sessionKey, generation }, chat, clientTools, { asks: false })
  return {
    system: systemTokens(chat),
    tools: toolsTokens(outOfBand > 0 ? withAcknowledge(tools) : tools)
  }
}

/** A chat agent's configuration as a turn runs it; one whose embeds lead nowhere is counted as it is written, without them. */
async function runnable(ctx: Ctx, running: RunningAgent | undefined): Promise<RunnableChat | undefined> {
  if (running?.config.type !== 'chat') return undefined
  const { chat } = running.config
  try {
    return await resolveAgent(ctx, laidOver(chat, running.overlay))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...chat, tools: chat.tools.flatMap(tool => ('@ag.embed' in tool ? [] : [tool])) }
  }
}

/** The calls whose result at this place is "still waiting": `answered` says that the answer stands further down, or
 * will. */
const stillWaitingIn = (entry: ContextEntry) =>
  entry.kind !== 'step'
    ? []
    : entry.calls
        .filter(call => call.deferred || call.result === null)
        .map(({ toolCallId, toolName, result }) => ({ toolCallId, toolName, answered: result !== null }))

function shortened(role: ShownMessage['role'], content: unknown): ShownMessage {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
  if (text.length <= mostCharacters) return { role, content: typeof content === 'string' ? text : content }
  return { role, content: text.slice(0, mostCharacters), cut: text.length - mostCharacters }
}
