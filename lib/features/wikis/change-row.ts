import type { WikiChange } from '@waystation/protocol/wiki/wiki-change.ts'
import type { Fragment } from '#db/client.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { TiddlerRow } from './store.ts'

/** A tiddler in a stored change: what it was before (null: it did not exist), and whether the change removed it. */
export type ChangedTiddler = { title: string; gone: boolean; before?: TiddlerRow | null }

/** A stored change, without what the tiddlers were before. */
export type ChangeRow = Pick<WikiChange, 'wiki' | 'action' | 'title' | 'revision' | 'toolCallId' | 'at'> & {
  id: string
  newTitle: string | null
  titles: string[]
  agentId: string
  agentName: string
  approvedBy: string | null
  sessionId: string
  messageId: string
  toolName: string
  hasSession: boolean
  undoneAt: string | null
  undoneBy: string | null
}

/** Returns changes of the workspace, newest first. `k` is a change in the condition. */
export const changeRows = ({ sql, workspaceId }: Ctx, condition: Fragment) => sql<ChangeRow[]>`
  select k.wiki, k.id, k.action, k.title, k.new_title, k.revision, k.agent_id,
    jsonb_path_query_array(k.tiddlers, '$[*].title') as titles,
    coalesce(a.config ->> 'displayName', k.agent_id) as agent_name, s.key is not null as has_session, k.session_id,
    k.message_id, k.tool_call_id, k.tool_name, k.at, k.undone_at, k.undone_by,
    (select c.answered_by from calls c where c.session_key = s.key and c.tool_call_id = k.tool_call_id
      and c.state = 'approved') as approved_by
  from wiki_changes k
    left join agents a on a.workspace_id = k.workspace_id and a.id = k.agent_id
    left join heads h on h.session_key = k.session_key and h.generation = k.generation
    left join sessions s on s.key = h.session_key and s.deleted_at is null
  where k.workspace_id = ${workspaceId} and ${condition}`

/** Converts a row to the API's form. */
export const wireChange = (row: ChangeRow): WikiChange => {
  const { wiki, id: change, action, title, newTitle, revision, at, agentId, agentName } = row
  const updated = row.titles.filter(other => other !== title && other !== newTitle)
  return {
    ...{ wiki, change, action, title, revision, at, agentId, agentName, toolCallId: row.toolCallId },
    sessionId: row.hasSession ? row.sessionId : null,
    ...(newTitle === null ? {} : { newTitle }),
    ...(updated.length === 0 ? {} : { updated }),
    ...(row.approvedBy === null ? {} : { approvedBy: row.approvedBy }),
    ...(row.undoneAt === null ? {} : { undoneAt: row.undoneAt, undoneBy: row.undoneBy ?? '' })
  }
}
