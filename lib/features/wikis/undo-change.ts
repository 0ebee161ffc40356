import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { UndoWikiChange, WikiChange } from '@waystation/protocol/wiki/wiki-change.ts'
import { inTransaction, unchanged } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { auditChange } from './audit-change.ts'
import { type ChangedTiddler, changeRows, wireChange } from './change-row.ts'
import { applyEdits, nextRevision, tiddlersFor } from './store-tiddlers.ts'

/**
 * Restores the tiddlers that a change replaced, with the revisions that they had, so that older changes can be undone
 * next. Does nothing if the change was already undone. Throws `NOT_FOUND`, and `CONFLICT` if a tiddler has changed
 * since.
 */
export async function undoWikiChange(ctx: Ctx, { wiki, changeId }: UndoWikiChange): Promise<WikiChange> {
  return inTransaction(ctx, async tx => {
    const { sql, workspaceId, actor } = tx
    await nextRevision(tx, wiki)
    const readChange = async () => {
      const [row] = await changeRows(tx, sql`k.wiki = ${wiki} and k.id = ${changeId}`)
      if (row === undefined) throw notFound('change', changeId)
      return row
    }
    const change = await readChange()
    if (change.undoneAt !== null) return unchanged(wireChange(change))
    const current = await tiddlersFor(tx, wiki, change.titles)
    const [{ tiddlers } = { tiddlers: [] }] = await sql<{ tiddlers: ChangedTiddler[] }[]>`
      select tiddlers from wiki_changes where workspace_id = ${workspaceId} and wiki = ${wiki} and id = ${changeId}`
    const moved = tiddlers.find(({ title, gone }) =>
      gone ? current.has(title) : current.get(title)?.revision !== change.revision
    )
    if (moved !== undefined) {
      const revision = current.get(moved.title)?.revision ?? null
      const [later] = await sql`
        select from wiki_changes
        where workspace_id = ${workspaceId} and wiki = ${wiki} and undone_at is null
          and revision > ${change.revision} and (${revision}::bigint is null or revision = ${revision})
          and tiddlers @> jsonb_build_array(jsonb_build_object('title', ${moved.title}::text))
        limit 1`
      throw new ApiError(
        'CONFLICT',
        later === undefined
          ? `The tiddler "${moved.title}" was imported after this change, so the change cannot be undone.`
          : `The tiddler "${moved.title}" has changed since. Nothing was undone. Undo its later changes first.`
      )
    }
    await applyEdits(
      tx,
      wiki,
      tiddlers.map(({ title, before = null }) => ({ title, content: before }))
    )
    await sql`
      update wiki_changes set undone_at = clock_timestamp(), undone_by = ${actor.name}, bytes = 0,
        tiddlers = (select coalesce(jsonb_agg(t - 'before'), '[]') from jsonb_array_elements(tiddlers) as t)
      where workspace_id = ${workspaceId} and wiki = ${wiki} and id = ${changeId}`
    const credential = actor.kind === 'person' ? 'page' : 'api'
    await auditChange(tx, change, { action: 'wiki.undone', actor: actor.name, credential })
    return wireChange(await readChange())
  })
}
