import { newId } from '@waystation/base/ids.ts'
import { ToolError } from '@waystation/base/known-error.ts'
import { wikiChangeLimits } from '@waystation/protocol/wiki/wiki-change.ts'
import { WikiChanged } from '@waystation/protocol/wiki/wiki-changed.ts'
import { inTransaction, unchanged } from '#db/transaction.ts'
import { lockForLease } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ToolRun } from '#lib/tools/tool.ts'
import { auditChange } from './audit-change.ts'
import { type ChangedTiddler, changeRows, wireChange } from './change-row.ts'
import { applyEdits, nextRevision, type TiddlerEdit, tiddlersFor } from './store-tiddlers.ts'
import { wikiNameFor } from './wiki-name-for.ts'

/** The changes of a call. Undefined: the wiki has changed since the plan was prepared, so it is prepared again. */
export type Planned = Pick<WikiChanged, 'action' | 'title' | 'newTitle'> & { edits: TiddlerEdit[] }
export type Plan = (read: Read, at: { revision: number; now: string }) => Promise<Planned | undefined>
type Read = (titles: readonly string[]) => ReturnType<typeof tiddlersFor>

/** How often a plan is prepared again. */
const maxAttempts = 5

/**
 * Changes a wiki for a call, in one transaction that stores what it replaced. If the call runs again after a crash, it
 * returns the change that it made before. `part` numbers the changes of one call. `prepare` runs before the
 * transaction, which calls the plan under the wiki's lock.
 */
export async function changeWiki(
  run: ToolRun,
  name: string | undefined,
  prepare: (wiki: string) => Promise<Plan> | Plan,
  { allowed = run.call.wikis, part = 0 }: { allowed?: readonly string[] | undefined; part?: number } = {}
): Promise<WikiChanged> {
  const { ctx, lease, call } = run
  const { sql } = ctx
  const [done] = await changeRows(
    ctx,
    sql`k.session_key = ${lease.sessionKey} and k.generation = ${call.generation}
      and k.tool_call_id = ${call.toolCallId} and k.part = ${part}`
  )
  if (done !== undefined) return WikiChanged.parse(wireChange(done))
  const wiki = await wikiNameFor(ctx, allowed, name)
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const plan = await prepare(wiki)
    const changed = await inTransaction<WikiChanged | undefined>(ctx, tx =>
      change(tx, run, { wiki, plan, part })
    )
    if (changed !== undefined) return changed
  }
  throw new ToolError('The wiki was changed by others at the same time. Nothing was changed. Try again.')
}

async function change(
  tx: Ctx,
  { lease, call, signal }: ToolRun,
  { wiki, plan, part }: { wiki: string; plan: Plan; part: number }
) {
  const { sql, workspaceId } = tx
  const session = await lockForLease(tx, lease)
  const { sessionKey, generation, sessionId, now } = session
  const [running] = await sql<{ messageId: string; toolName: string }[]>`
    select message_id, tool_name from calls
    where session_key = ${sessionKey} and tool_call_id = ${call.toolCallId} and result is null`
  const revision = await nextRevision(tx, wiki)
  // A call that was stopped, or ran out of time while it waited for the wiki, must have no effect.
  if (running === undefined || signal.aborted)
    throw new ToolError('The call was stopped. Nothing was changed.')
  const { messageId, toolName } = running
  const planned = await plan(titles => tiddlersFor(tx, wiki, titles), { revision, now })
  if (planned === undefined) return unchanged(undefined)
  const { edits, ...what } = planned
  const before = await tiddlersFor(
    tx,
    wiki,
    edits.map(({ title }) => title)
  )
  const tiddlers = JSON.stringify(
    edits.map(({ title, content }): ChangedTiddler => {
      return { title, gone: content === null, before: before.get(title) ?? null }
    })
  )
  await applyEdits(tx, wiki, edits)
  const id = newId('change')
  const { toolCallId, speakerId } = call
  await sql`
    insert into wiki_changes (workspace_id, wiki, id, revision, action, title, new_title, tiddlers, bytes, agent_id,
      session_key, generation, session_id, message_id, tool_call_id, tool_name, part, at)
    values (${workspaceId}, ${wiki}, ${id}, ${revision}, ${what.action}, ${what.title}, ${what.newTitle ?? null},
      (${tiddlers}::text)::jsonb, ${Buffer.byteLength(tiddlers)}, ${speakerId}, ${sessionKey}, ${generation},
      ${sessionId}, ${messageId}, ${toolCallId}, ${toolName}, ${part}, clock_timestamp())`
  // The newest change is always stored, however large.
  await sql`
    delete from wiki_changes k using (
      select revision, row_number() over newest as place, sum(bytes) over newest as total from wiki_changes
      where workspace_id = ${workspaceId} and wiki = ${wiki} window newest as (order by revision desc)) as o
    where k.workspace_id = ${workspaceId} and k.wiki = ${wiki} and k.revision = o.revision and o.place > 1
      and (o.place > ${wikiChangeLimits.changes} or o.total > ${wikiChangeLimits.bytes})`
  const audited = { sessionId, messageId, toolCallId, toolName }
  await auditChange(tx, audited, { action: 'wiki.changed', actor: speakerId, credential: 'agent' })
  const updated = edits.map(({ title }) => title).filter(t => t !== what.title && t !== what.newTitle)
  return { wiki, change: id, ...what, revision, ...(updated.length === 0 ? {} : { updated }) }
}
