import type { Rendered, RenderWikitext } from '@waystation/protocol/wiki/wiki.ts'
import { toRendered } from '@waystation/tiddlywiki'
import { applyOverlay } from '#lib/agents/overlay/apply-overlay.ts'
import { resolveAgent } from '#lib/agents/resolve-agent.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import { agentOfSessionIfAny } from '#lib/engine/worker/running-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { laneOf } from '#lib/kernel/lane-of.ts'
import { resolveTools, wikiToolsOf } from '#lib/tools/resolve.ts'
import { listNames } from './list-wikis.ts'
import { loadedWiki } from './store.ts'

/**
 * Renders wikitext of a transcript, in a wiki that the session's agent can read. For end users, it renders in no wiki:
 * their agent decides what they learn from it. A wiki that the agent cannot read is a `problem`, because agents can
 * write any name. Throws `NOT_FOUND` for the session.
 */
export async function renderWikitext(
  ctx: Ctx,
  { sessionId, text, wiki: named, title }: RenderWikitext
): Promise<Rendered> {
  const sessionKey = await sessionKeyOf(ctx, sessionId)
  const isEndUser = ctx.actor.kind === 'subject'
  const readable = isEndUser ? [] : await readableWikis(ctx, sessionKey)
  const wiki = isEndUser ? undefined : (named ?? (readable.length === 1 ? readable[0] : undefined))
  if (wiki === undefined) return toRendered(await ctx.ports.wikis('wikitext', { text }, laneOf(ctx)))
  if (!readable.includes(wiki))
    return { html: null, problem: `The agent of this session cannot read a wiki "${wiki}".` }
  return toRendered(
    await ctx.ports.wikis(
      'wikitext',
      { text, title, home: `/wikis/${wiki}` },
      laneOf(ctx),
      await loadedWiki(ctx, wiki)
    )
  )
}

/** Returns the wikis that the tools of the session's agent can read. */
async function readableWikis(ctx: Ctx, sessionKey: number): Promise<string[]> {
  const running = await agentOfSessionIfAny(ctx, sessionKey)
  if (running?.config.type !== 'chat') return []
  const chat = await resolveAgent(ctx, applyOverlay(running.config.chat, running.overlay))
  const allowed = [...wikiToolsOf(resolveTools(ctx.ports, chat.tools, [])).values()]
  if (allowed.length === 0) return []
  return (await listNames(ctx)).filter(name => allowed.some(wikis => wikis?.includes(name) ?? true))
}
