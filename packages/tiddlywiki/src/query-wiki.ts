import { valueOrThrow } from './render-result.ts'
import type { AskWiki, TocNode, WikiAnswer, WikiError, WikiTasks } from './wiki-engine.ts'

/** The maximum number of tiddlers that one question skips because their rendering does not end. */
const maxHanging = 3

/** The maximum number of rounds to read a wiki, each about a second. 20,000 tiddlers need a few. */
const maxRounds = 30

/** Returns the tree of tags of a wiki. Throws if TiddlyWiki fails. */
export async function wikiToc(
  askWiki: AskWiki,
  ask: WikiTasks['toc']['ask']
): Promise<{ nodes: TocNode[]; cut: boolean }> {
  return valueOrThrow(await askWiki('toc', ask))
}

/** Returns the tiddlers that link to a tiddler. `unread` lists those that could not be parsed in time. */
export async function wikiBacklinks(
  askWiki: AskWiki,
  ask: { title: string; limit: number }
): Promise<{ titles: string[]; total: number; unread: string[] }> {
  for (let round = 1; ; round++) {
    const { answer, hanging } = await skippingHanging(skip => askWiki('backlinks', { ...ask, skip }))
    const { titles, total, done } = valueOrThrow(answer)
    if (done) return { titles, total, unread: hanging }
    if (round === maxRounds) return valueOrThrow({ kind: 'late' })
  }
}

/**
 * Returns the errors in a wiki's tiddlers. A tiddler whose rendering does not end is reported as an error,
 * and the others are still checked.
 */
export async function wikiErrors(
  askWiki: AskWiki,
  ask: Omit<WikiTasks['errors']['ask'], 'skip'>
): Promise<WikiTasks['errors']['answer']> {
  const { answer, hanging } = await skippingHanging(skip => askWiki('errors', { ...ask, skip }))
  const { errors, ...rest } = valueOrThrow(answer)
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

/** Repeats a question without the tiddlers whose rendering does not end, up to `maxHanging` of them. */
async function skippingHanging<T>(
  ask: (skip: string[]) => Promise<WikiAnswer<T>>
): Promise<{ answer: WikiAnswer<T>; hanging: string[] }> {
  const hanging: string[] = []
  for (;;) {
    const answer = await ask(hanging)
    if (answer.kind !== 'late' || answer.at === undefined || hanging.length === maxHanging)
      return { answer, hanging }
    hanging.push(answer.at)
  }
}
