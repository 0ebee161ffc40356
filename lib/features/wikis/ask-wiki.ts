import type { Ctx } from '#lib/kernel/ctx.ts'
import type { TocNode, WikiAnswer, WikiError, WikiTasks } from '#lib/kernel/ports/wiki-engine.ts'
import { laneOf } from '#lib/kernel/threads/lane-of.ts'
import { answered } from './rendered.ts'
import { loaded, wikiFor } from './store.ts'

/** How many tiddlers that do not end are passed over in one look through a wiki. */
const mostHanging = 3

/** How often a wiki is read on until all of it is, a second at a time: 20,000 tiddlers take a few. */
const mostRounds = 30

/** The tree of tags of a wiki. Why there is no answer is thrown. */
export async function wikiToc(
  ctx: Ctx,
  wiki: string,
  ask: WikiTasks['toc']['ask']
): Promise<{ nodes: TocNode[]; cut: boolean }> {
  const of = await wikiFor(ctx, wiki)
  return answered(await ctx.ports.wikis('toc', ask, laneOf(ctx), loaded(ctx, of)))
}

/** What links to a tiddler; `unread` are those that could not be read to their end. */
export async function wikiBacklinks(
  ctx: Ctx,
  wiki: string,
  ask: { title: string; limit: number }
): Promise<{ titles: string[]; total: number; unread: string[] }> {
  const of = await wikiFor(ctx, wiki)
  for (let round = 1; ; round++) {
    const { answer, hanging } = await passingOver(skip =>
      ctx.ports.wikis('backlinks', { ...ask, skip }, laneOf(ctx), loaded(ctx, of))
    )
    const { titles, total, done } = answered(answer)
    if (done) return { titles, total, unread: hanging }
    if (round === mostRounds) return answered({ kind: 'late' })
  }
}

/** What is wrong with its tiddlers. One whose rendering does not end is among it, and the others are looked at all the same. */
export async function wikiErrors(
  ctx: Ctx,
  wiki: string,
  ask: Omit<WikiTasks['errors']['ask'], 'skip'>
): Promise<WikiTasks['errors']['answer']> {
  const of = await wikiFor(ctx, wiki)
  const { answer, hanging } = await passingOver(skip =>
    ctx.ports.wikis('errors', { ...ask, skip }, laneOf(ctx), loaded(ctx, of))
  )
  const { errors, ...rest } = answered(answer)
  const endless = hanging.map(
    (title): WikiError => ({
      title,
      kind: 'does-not-render',
      detail:
        'Rendering does not end. Look for macros or filters that call themselves, and for slow patterns.'
    })
  )
  return { errors: [...endless, ...errors], ...rest }
}

/** Asks again without the tiddler that did not end, as long as there are few of those. */
async function passingOver<T>(
  ask: (skip: string[]) => Promise<WikiAnswer<T>>
): Promise<{ answer: WikiAnswer<T>; hanging: string[] }> {
  const hanging: string[] = []
  for (;;) {
    const answer = await ask(hanging)
    if (answer.kind !== 'late' || answer.at === undefined || hanging.length === mostHanging)
      return { answer, hanging }
    hanging.push(answer.at)
  }
}
