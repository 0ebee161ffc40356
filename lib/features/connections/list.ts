import { notFound } from '@waystation/base/api-error.ts'
import type { Connection } from '@waystation/protocol/connection/connection.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { allIntegrations } from './integration.ts'
import { type ConnectionRow, connectionColumns } from './row.ts'

/** The maximum number of sessions listed for a connection. */
const maxSessions = 5

type ConnectionWithSessions = ConnectionRow & { sessions: Connection['sessions'] }

/**
 * Lists the connections that the caller can see: their own, the workspace's, and those of the workspace's
 * sessions. Owners also see the connections of other users, so that they can end them.
 */
export async function listConnections(ctx: Ctx): Promise<{ connections: Connection[] }> {
  const services = new Map(
    (await allIntegrations(ctx)).map(({ integration, service }) => [integration, service])
  )
  const rows = await ctx.sql<ConnectionWithSessions[]>`
    select ${connectionColumns(ctx.sql)}, coalesce((
      select jsonb_agg(jsonb_build_object('sessionId', u.id, 'title', u.title, 'usedAt', u.used_at)) from (
        select s.id, s.title, u.used_at from connection_uses u join sessions s on s.key = u.session_key
        where u.connection_id = connections.id and s.deleted_at is null
        order by u.used_at desc limit ${maxSessions}) u), '[]') as sessions
    from connections
    where workspace_id = ${ctx.workspaceId} and ${visibleCondition(ctx)}
    order by integration, slug, sharing, owner_name, id`
  return { connections: rows.map(row => shownConnection(ctx, row, services.get(row.integration))) }
}

/** Returns the SQL condition for connections that the caller can see. */
export const visibleCondition = (ctx: Ctx) => {
  const isOwner = 'role' in ctx.actor && ctx.actor.role === 'owner'
  return ctx.sql`(sharing <> 'user' or owner = ${identityOf(ctx.actor).id} or ${isOwner})`
}

/** Returns a connection that the caller can see. Throws `NOT_FOUND`, also for the connection of another user. */
export async function visibleConnection(ctx: Ctx, connectionId: string): Promise<ConnectionRow> {
  const [row] = await ctx.sql<ConnectionRow[]>`
    select ${connectionColumns(ctx.sql)} from connections
    where workspace_id = ${ctx.workspaceId} and id = ${connectionId} and ${visibleCondition(ctx)}`
  if (row === undefined) throw notFound('connection', connectionId)
  return row
}

function shownConnection(ctx: Ctx, row: ConnectionWithSessions, service = row.integration): Connection {
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
    sessions: row.sessions.map(session => ({ ...session, usedAt: new Date(session.usedAt).toISOString() }))
  }
}
