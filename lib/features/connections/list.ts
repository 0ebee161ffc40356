import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import type { Connection } from '#lib/protocol/connection/connection.ts'
import { allIntegrations } from './integration.ts'
import { type ConnectionRow, connectionColumns } from './row.ts'

/** How many of the sessions that used one are named. */
const mostSessions = 5

type Listed = ConnectionRow & { sessions: Connection['sessions'] }

/**
 * The connections that somebody sees: their own, the workspace's and, of sessions, those of the workspace. Another person's
 * own are theirs; who may hand out keys and roles sees that they are there, so that they can be ended.
 */
export async function listConnections(ctx: Ctx): Promise<{ connections: Connection[] }> {
  const services = new Map(
    (await allIntegrations(ctx)).map(({ integration, service }) => [integration, service])
  )
  const rows = await ctx.sql<Listed[]>`
    select ${connectionColumns(ctx.sql)}, coalesce((
      select jsonb_agg(jsonb_build_object('sessionId', u.id, 'title', u.title, 'usedAt', u.used_at)) from (
        select s.id, s.title, u.used_at from connection_uses u join sessions s on s.key = u.session_key
        where u.connection_id = connections.id and s.deleted_at is null
        order by u.used_at desc limit ${mostSessions}) u), '[]') as sessions
    from connections
    where workspace_id = ${ctx.workspaceId} and ${visible(ctx)}
    order by integration, slug, sharing, owner_name, id`
  return { connections: rows.map(row => shownConnection(ctx, row, services.get(row.integration))) }
}

/** Those that this caller may look at and end. */
export const visible = (ctx: Ctx) => {
  const isOwner = 'role' in ctx.actor && ctx.actor.role === 'owner'
  return ctx.sql`(sharing <> 'user' or owner = ${identityOf(ctx.actor).id} or ${isOwner})`
}

/** One that this caller may see. Another's own: not found. */
export async function visibleConnection(ctx: Ctx, connectionId: string): Promise<ConnectionRow> {
  const [row] = await ctx.sql<ConnectionRow[]>`
    select ${connectionColumns(ctx.sql)} from connections
    where workspace_id = ${ctx.workspaceId} and id = ${connectionId} and ${visible(ctx)}`
  if (row === undefined) throw notFound('connection', connectionId)
  return row
}

function shownConnection(ctx: Ctx, row: Listed, service = row.integration): Connection {
  const { connectionId, integration, slug, sharing, mode, state, account, scopes, fault } = row
  return {
    connectionId,
    integration,
    service,
    slug,
    sharing,
    owner: row.ownerName,
    mine: row.owner === identityOf(ctx.actor).id,
    mode,
    state,
    ...(account === null ? {} : { account }),
    scopes,
    ...(fault === null ? {} : { fault }),
    connectedBy: row.connectedBy,
    connectedAt: row.connectedAt,
    ...(row.lastUsedAt === null ? {} : { lastUsedAt: row.lastUsedAt }),
    ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt }),
    sessions: row.sessions.map(one => ({ ...one, usedAt: new Date(one.usedAt).toISOString() }))
  }
}
