import { agentOfSessionIfAny, type RunningAgent } from '#lib/agents/of-session.ts'
import { laidOver } from '#lib/agents/overlay/lay-over.ts'
import { resolveAgent } from '#lib/agents/resolve-agent.ts'
import { sessionKeyOf } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { readEntries } from '#lib/messages/context.ts'
import { countTokens } from '#lib/models/count-tokens.ts'
import type { ContextView, ShownMessage } from '#lib/protocol/context.ts'
import type { InSession } from '#lib/protocol/session.ts'
import { guidanceFor, promptOf } from '#lib/turn/prompt.ts'
import type { ContextEntry } from '#lib/turn/turn.ts'
import { entryOf } from './window.ts'

/** How many of the newest entries are told, and how many characters of each of their messages. */
const mostEntries = 50
const mostCharacters = 20_000

/**
 * The prompt window as a step that began now would show it to the model, entry by entry, oldest first: the newest 50,
 * and how many there are before them. The agent's own instructions are counted, not told: they are its configuration.
 */
export async function getContext(ctx: Ctx, input: InSession): Promise<ContextView> {
  const key = await sessionKeyOf(ctx, input.sessionId)
  const [window] = await ctx.sql<
    { summary: string; oobStart: number; entries: number; tokens: number; before: number }[]
  >`
    select s.summary, s.oob_start as "oobStart", count(e.id)::int as entries, coalesce(sum(e.tokens), 0)::int as tokens,
      coalesce((select id from context where session_key = s.key and id > s.context_start
        order by id desc offset ${mostEntries} limit 1), 0) as before
    from sessions s left join context e on e.session_key = s.key and e.id > s.context_start
    where s.key = ${key} group by s.key`
  const { summary = '', oobStart = 0, entries = 0, tokens = 0, before = 0 } = window ?? {}
  const chat = await runnable(ctx, await agentOfSessionIfAny(ctx, key))
  const shown = (await readEntries(ctx, key, before)).map(entryOf)
  return {
    tokens,
    entries,
    ...(chat === undefined
      ? {}
      : {
          contextTokens: chat.limits.contextTokens,
          instructionsTokens: countTokens(
            `${chat.instructions}\n\n${guidanceFor(chat.userAfterTools ?? true)}`
          )
        }),
    ...(summary === '' ? {} : { summary: { text: summary, tokens: countTokens(summary) } }),
    shown: shown.map(entry => ({
      id: entry.id,
      kind: entry.kind,
      tokens: entry.tokens,
      stillWaiting: stillWaitingIn(entry),
      messages: promptOf([entry], { oobStart }).map(message => shortened(message.role, message.content))
    }))
  }
}

/** A chat agent's configuration as a turn runs it; one whose embeds lead nowhere is counted as it is written. */
async function runnable(ctx: Ctx, running: RunningAgent | undefined) {
  if (running?.config.type !== 'chat') return undefined
  const { chat } = running.config
  try {
    return await resolveAgent(ctx, laidOver(chat, running.overlay))
  } catch (error) {
    if (error instanceof Refusal) return chat
    throw error
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
