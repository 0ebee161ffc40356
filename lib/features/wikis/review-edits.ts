import { ApiError } from '@waystation/base/api-error.ts'
import { diffConfigs } from '@waystation/protocol/agent/config-diff.ts'
import type { WikiReview } from '@waystation/protocol/wiki/wiki-review.ts'
import { WikiDelete, WikiWrite } from '@waystation/protocol/wiki/wiki-tools.ts'
import type { Opening } from '#lib/engine/calls/open.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ResolvedTools } from '#lib/tools/resolved-tool.ts'
import type { Plan } from './change-wiki.ts'
import { planDelete, planWrite } from './plan-edits.ts'
import type { TiddlerRow } from './store.ts'
import { tiddlersFor } from './store-tiddlers.ts'
import { wikiNameFor } from './wiki-name-for.ts'
import { wikiDelete, wikiWrite } from './write-tools.ts'

/** The maximum length of the differences that a call stores, as JSON. Characters. */
const maxChars = 64_000

type Words = Pick<WikiReview, 'title' | 'act' | 'why'>

/**
 * Adds to calls that write or delete a tiddler after an approval how they would change it. A call that would
 * fail now still waits, because an earlier call of the step can change that.
 */
export async function reviewEdits(
  tx: Ctx,
  tools: ResolvedTools,
  openings: readonly Opening[]
): Promise<Opening[]> {
  const result: Opening[] = []
  for (const opening of openings) {
    const waits = opening.kind === 'approval' && opening.failed === undefined && opening.denied === undefined
    const render = waits ? await reviewIfAny(tx, tools.get(opening.toolName)?.wikis, opening) : undefined
    result.push(render === undefined ? opening : { ...opening, render })
  }
  return result
}

async function reviewIfAny(
  tx: Ctx,
  allowed: readonly string[] | undefined,
  { toolName, input, title = toolName }: Opening
): Promise<WikiReview | undefined> {
  try {
    return await reviewOf(tx, allowed, toolName, input)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const why = `As the wiki is now, this call fails: ${error.message}`
    return { kind: 'wiki-change', title, act: 'Run anyway', why }
  }
}

async function reviewOf(
  tx: Ctx,
  allowed: readonly string[] | undefined,
  toolName: string,
  input: unknown
): Promise<WikiReview | undefined> {
  const wikiFor = (name: string | undefined) => wikiNameFor(tx, allowed, name)
  if (toolName === wikiWrite.name) {
    const write = WikiWrite.parse(input)
    const wiki = await wikiFor(write.wiki)
    return compare(tx, wiki, write.title, planWrite(write, ''))
  }
  if (toolName === wikiDelete.name) {
    const deletion = WikiDelete.parse(input)
    const wiki = await wikiFor(deletion.wiki)
    return compare(tx, wiki, deletion.title, planDelete(deletion))
  }
  return undefined
}

async function compare(tx: Ctx, wiki: string, title: string, plan: Plan): Promise<WikiReview | undefined> {
  const stored = await tiddlersFor(tx, wiki, [title])
  const planned = await plan(async () => stored, { revision: 0, now: '' })
  const after = planned?.edits[0]?.content
  if (planned === undefined || after === undefined) return undefined
  const changes = diffConfigs(partsOf(stored.get(title)), partsOf(after))
  const review = {
    kind: 'wiki-change' as const,
    ...wordsFor(planned.action, `${title.slice(0, 150)} in ${wiki}`)
  }
  return JSON.stringify(changes).length > maxChars ? review : { ...review, changes, widens: [] }
}

function wordsFor(action: string, tiddler: string): Words {
  const since = 'Its old content is from when the agent asked.'
  if (action === 'created')
    return {
      title: `Create ${tiddler}`,
      act: 'Create tiddler',
      why: 'The agent wants to create this tiddler.'
    }
  return action === 'deleted'
    ? {
        title: `Delete ${tiddler}`,
        act: 'Delete tiddler',
        why: `The agent wants to delete this tiddler. ${since}`
      }
    : {
        title: `Change ${tiddler}`,
        act: 'Change tiddler',
        why: `The agent wants to change this tiddler. ${since}`
      }
}

/** Returns the parts of a tiddler that people compare. */
function partsOf(row: TiddlerRow | null | undefined) {
  const { text, type = '', tags = [], fields: { modifier: _, ...fields } = {} } = row ?? {}
  return { text, ...(type === '' ? {} : { type }), tags, fields }
}
