import type { Ctx } from '#lib/kernel/ctx.ts'
import type { WikiError, WikiTasks } from '#lib/kernel/wiki-engine.ts'
import { answered } from './rendered.ts'
import { loaded, wikiFor } from './store.ts'

/** How many tiddlers that do not end are passed over in one look for errors. */
const mostHanging = 3

/** Asks TiddlyWiki what is linked to a tiddler, or for the tree of tags. Why there is no answer is thrown. */
export async function askWiki<Task extends 'backlinks' | 'toc'>(
  ctx: Ctx,
  wiki: string,
  task: Task,
  ask: WikiTasks[Task]['ask']
): Promise<WikiTasks[Task]['answer']> {
  const of = await wikiFor(ctx, wiki)
  return answered(await ctx.ports.wikis(task, ask, loaded(ctx, of)))
}

/** What is wrong with its tiddlers. One whose rendering does not end is among it, and the others are looked at all the same. */
export async function wikiErrors(
  ctx: Ctx,
  wiki: string,
  ask: Omit<WikiTasks['errors']['ask'], 'skip'>
): Promise<WikiTasks['errors']['answer']> {
  const of = await wikiFor(ctx, wiki)
  const hanging: WikiError[] = []
  for (;;) {
    const skip = hanging.map(({ title }) => title)
    const answer = await ctx.ports.wikis('errors', { ...ask, skip }, loaded(ctx, of))
    if (answer.kind !== 'late' || answer.at === undefined || hanging.length === mostHanging) {
      const { errors, ...rest } = answered(answer)
      return { errors: [...hanging, ...errors], ...rest }
    }
    hanging.push({
      title: answer.at,
      kind: 'does-not-render',
      detail: 'Rendering it does not end: look for macros or filters that call themselves, and slow patterns.'
    })
  }
}
