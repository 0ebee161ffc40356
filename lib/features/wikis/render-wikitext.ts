import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { laneOf } from '#lib/kernel/threads/lane-of.ts'
import type { Rendered, RenderWikitext } from '#lib/protocol/wiki/wiki.ts'
import { renderedOr } from './rendered.ts'

/**
 * Wikitext of a transcript, by itself: it sees no wiki, so that whoever may read a session learns nothing of its workspace's
 * wikis by it.
 */
export async function renderWikitext(ctx: Ctx, { sessionId, text }: RenderWikitext): Promise<Rendered> {
  await sessionKeyOf(ctx, sessionId)
  return renderedOr(await ctx.ports.wikis('wikitext', { text }, laneOf(ctx)))
}
