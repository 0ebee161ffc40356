import { ApiError, invalid, notFound } from '@waystation/base/api-error.ts'
import { wikiLimits } from '@waystation/protocol/wiki/wiki.ts'
import type { WikiDelete, WikiRename, WikiWrite } from '@waystation/protocol/wiki/wiki-tools.ts'
import { type AskWiki, valueOrThrow, type WikiTasks } from '@waystation/tiddlywiki'
import { storable } from '#db/client.ts'
import type { Plan } from './change-wiki.ts'
import type { TiddlerRow } from './store.ts'

/** The maximum number of other tiddlers that a rename changes. */
const maxUpdated = 500

const noTiddler: Omit<TiddlerRow, 'title' | 'revision'> = {
  ...{ text: '', type: '', tags: [], fields: {}, created: null, modified: null }
}

/** Plans to create a tiddler, or to change the given parts of an existing one. */
export function planWrite(input: WikiWrite, agentId: string): Plan {
  const {
    title,
    text,
    type,
    tags,
    addTags = [],
    removeTags = [],
    fields = {},
    revision
  } = storable(input) as WikiWrite
  return async (read, at) => {
    const before = (await read([title])).get(title)
    checkRevision(title, before, revision)
    const { fields: oldFields, ...old } = before ?? { ...noTiddler, created: at.now }
    const given = Object.entries({ ...oldFields, ...fields, modifier: agentId })
    const content: TiddlerRow = {
      ...old,
      title,
      text: text ?? old.text,
      type: type ?? old.type,
      tags: [...new Set([...(tags ?? old.tags), ...addTags])].filter(tag => !removeTags.includes(tag)),
      fields: Object.fromEntries(given.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
      modified: at.now,
      revision: at.revision
    }
    checkTiddler(content, Object.keys(fields))
    return { action: before === undefined ? 'created' : 'changed', title, edits: [{ title, content }] }
  }
}

/** Plans to delete a tiddler. */
export const planDelete =
  ({ title, revision }: WikiDelete): Plan =>
  async read => {
    const before = (await read([title])).get(title)
    if (before === undefined) throw notFound('tiddler', title)
    checkRevision(title, before, revision)
    checkTiddler(before)
    return { action: 'deleted', title, edits: [{ title, content: null }] }
  }

/**
 * Plans to rename a tiddler. TiddlyWiki finds the tiddlers that name it. If the wiki has changed since it was asked,
 * the plan returns undefined.
 */
export async function planRename(
  { title, newTitle: given, updateLinks, revision }: WikiRename,
  agentId: string,
  wiki: { revision: number; ask: AskWiki }
): Promise<Plan> {
  const newTitle = storable(given) as string
  const relinked = updateLinks ? await othersToRelink(wiki.ask, title, newTitle) : undefined
  return async (read, at) => {
    if (relinked !== undefined && at.revision !== wiki.revision + 1) return undefined
    const others = new Map(relinked?.map(other => [other.title, other]))
    const stored = await read([title, newTitle, ...others.keys()])
    const before = stored.get(title)
    if (before === undefined) throw notFound('tiddler', title)
    checkRevision(title, before, revision)
    checkTiddler(before)
    if (stored.has(newTitle))
      throw new ApiError(
        'CONFLICT',
        `A tiddler "${newTitle}" already exists. Nothing was changed. Choose another title.`
      )
    const changed = (row: TiddlerRow): TiddlerRow => {
      const { text, tags, list } = others.get(row.title) ?? {}
      const content = {
        ...row,
        text: text ?? row.text,
        tags: tags ?? row.tags,
        fields: { ...row.fields, ...(list === undefined ? {} : { list }), modifier: agentId },
        modified: at.now,
        revision: at.revision
      }
      checkTiddler(content)
      return content
    }
    const renamed = { ...changed(before), title: newTitle }
    checkTiddler(renamed)
    const edits = [...others.keys()].flatMap(other => {
      const row = stored.get(other)
      return row === undefined || other === title ? [] : [{ title: other, content: changed(row) }]
    })
    return {
      ...{ action: 'renamed', title, newTitle },
      edits: [{ title, content: null }, { title: newTitle, content: renamed }, ...edits]
    }
  }
}

async function othersToRelink(
  ask: AskWiki,
  from: string,
  to: string
): Promise<WikiTasks['relink']['answer']['tiddlers']> {
  if (/[[\]{}|"]|!!|##/.test(to))
    throw invalid('A link cannot contain this title. Choose another title, or set updateLinks to false.')
  const { tiddlers, total } = valueOrThrow(await ask('relink', { from, to, most: maxUpdated }))
  if (total > maxUpdated)
    throw invalid(
      `${total} tiddlers name this one, and ${maxUpdated} can be changed at once. Set updateLinks to false.`
    )
  return tiddlers
}

/** Throws `CONFLICT` if the tiddler is not at the revision that the caller has read. 0: it must not exist. */
function checkRevision(title: string, row: TiddlerRow | undefined, expected: number | undefined): void {
  const revision = row?.revision ?? 0
  if (expected === undefined || expected === revision) return
  const state = revision === 0 ? 'does not exist' : `is at revision ${revision}`
  throw new ApiError(
    'CONFLICT',
    `The tiddler "${title}" ${state}, so revision ${expected} is outdated. Nothing was changed. Read the tiddler again.`
  )
}

const ownFields = new Set(['title', 'text', 'type', 'tags', 'created', 'modified', 'modifier', '__proto__'])

/**
 * Throws `INVALID_INPUT` for a tiddler that agents cannot store. Tiddlers with scripts are among them, because they would
 * run in the browser of every user who opens the exported wiki.
 */
function checkTiddler({ title, text, type, tags, fields }: TiddlerRow, given: readonly string[] = []): void {
  const own = given.find(name => ownFields.has(name))
  if (own !== undefined) throw invalid(`The field "${own}" cannot be set with fields.`)
  if (title.startsWith('$:/') || 'module-type' in fields || 'plugin-type' in fields)
    throw invalid('Agents cannot change system tiddlers ($:/…), plugins and scripts of a wiki.')
  if (tags.some(tag => tag.startsWith('$:/tags/RawMarkup')))
    throw invalid('Agents cannot change tiddlers with the tag $:/tags/RawMarkup.')
  if (tags.some(tag => /\]\]|^\[\[|\s.*\]$/.test(tag)))
    throw invalid('A tag cannot contain double square brackets.')
  const values = [title, text, type, ...tags, ...Object.entries(fields).flat()]
  if (values.reduce((sum, value) => sum + Buffer.byteLength(value), 0) > wikiLimits.tiddlerBytes)
    throw invalid('The tiddler would be larger than 1 MiB.')
}
