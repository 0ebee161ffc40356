import { digestOf } from '@waystation/base/digest.ts'
import { denialReason } from '@waystation/protocol/call/answerers.ts'
import type { Grant } from '@waystation/protocol/call/grant.ts'
import { storable } from '#db/client.ts'
import { freezeAnswerers } from '#lib/engine/calls/answerers.ts'
import type { Opening } from '#lib/engine/calls/open.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** The columns of a grant that the API shows. */
type Row = Omit<Grant, 'input' | 'at'> & { same: boolean; input: unknown; at: string }

/** Returns the grants of a session, or those of the whole workspace without one. Newest first, at most 500. */
export async function readGrants({ sql, workspaceId }: Ctx, sessionKey?: number): Promise<Grant[]> {
  const rows = await sql<Row[]>`
    select id as grant_id, tool_name, case when session_key is null then 'always' else 'session' end as holds,
      input_digest is not null as same, input, granted_by, at, session_id,
      tool_call_id
    from grants where workspace_id = ${workspaceId} and ${
      sessionKey === undefined ? sql`session_key is null` : sql`session_key = ${sessionKey}`
    }
    order by at desc, id limit 500`
  return rows.map(({ same, input, at, ...row }) => ({ ...row, at, ...(same ? { input } : {}) }))
}

type MatchingGrant = Pick<Grant, 'grantId' | 'holds' | 'grantedBy'> & {
  granterId: string | null
  role: string | null
}

/**
 * Returns the remembered approval for a call that would otherwise need one. A grant matches the current
 * definition of the tool, and either any arguments or exactly these. It no longer applies if its granter lost
 * the required role: a member left or became a viewer, a key was revoked, or the granter of a permanent grant
 * is no longer an owner. If the call has an answer policy, the granter's current role must permit them to
 * answer this call. So the policy also applies to approvals in advance.
 */
export async function grantFor(
  tx: Ctx,
  session: LockedSession,
  { toolName, toolDigest, input, answer }: Opening
): Promise<MatchingGrant | undefined> {
  if (toolDigest === undefined) return undefined
  const grants = await tx.sql<MatchingGrant[]>`
    select g.id as grant_id, case when g.session_key is null then 'always' else 'session' end as holds,
      g.granted_by, g.granter_id,
      coalesce(m.role, case when k.revoked_at is null then k.role end) as role
    from grants g
    left join members m on m.workspace_id = g.workspace_id and g.granter_id = 'person:' || m.user_id
    left join api_keys k on k.workspace_id = g.workspace_id and g.granter_id = 'key:' || k.id
    where g.workspace_id = ${session.workspaceId} and g.tool_name = ${toolName} and g.tool_digest = ${toolDigest}
      and (g.session_key is null or (g.session_key = ${session.sessionKey} and g.generation = ${session.generation}))
      and (g.input_digest is null or g.input_digest = ${digestOf(storable(input ?? null))})
      and case
        when g.granter_id like 'person:%' or k.id is not null then k.revoked_at is null and coalesce(m.role, k.role) = any(
          case when g.session_key is null then '{owner}' else '{owner,editor,operator}' end::text[])
        else true end
    order by g.session_key nulls last, g.at limit 20`
  if (grants.length === 0 || answer === undefined) return grants[0]
  const answerers = await freezeAnswerers(tx, session, answer, 'approval')
  return grants.find(
    ({ granterId, role }) =>
      denialReason(
        { kind: 'approval', answerers },
        { id: granterId ?? undefined, role: role ?? undefined }
      ) === undefined
  )
}
