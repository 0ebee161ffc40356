import type { Rendered, RenderWikitext } from '@waystation/protocol/wiki/wiki.ts'
import { toRendered } from '@waystation/tiddlywiki'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { laneOf } from '#lib/kernel/lane-of.ts'

/**
 * Renders wikitext of a transcript. It has no access to any wiki, so that readers of a session cannot read
 * its workspace's wikis through it.
 */
export async function renderWikitext(ctx: Ctx, { sessionId, text }: RenderWikitext): Promise<Rendered> {
  await sessionKeyOf(ctx, sessionId)
  return toRendered(await ctx.ports.wikis('wikitext', { text }, laneOf(ctx)))
}
