import { log } from '@waystation/base/log.ts'
import { endMcpSession } from '@waystation/mcp-client'
import { decryptCredential } from '#lib/features/connections/credential.ts'
import { headerOf } from '#lib/features/connections/header-of.ts'
import { integrationIfAny } from '#lib/features/connections/integration.ts'
import { readConnection } from '#lib/features/connections/renew.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { purposeOf, type SessionOwner } from './http-sessions.ts'

type EndedSession = SessionOwner & { url: string; secret: string; protocolVersion: string }

/** MCP sessions per run, and the time limit of a server's response in milliseconds. */
const batchSize = 20
const timeoutMs = 5000

/**
 * Ends the MCP sessions of agent instances that were deleted or that expired. Each server is asked once: a server
 * that does not respond ends the session by itself.
 */
export async function endMcpSessions(ctx: Ctx): Promise<void> {
  const ended = await ctx.sql<EndedSession[]>`
    with ended as (
      select m.ctid from mcp_sessions m left join heads h on h.session_key = m.session_key
      where h.generation is distinct from m.generation order by m.opened_at limit ${batchSize}
      for update of m skip locked
    )
    delete from mcp_sessions m using ended where m.ctid = ended.ctid
    returning m.session_key, m.generation, m.workspace_id, m.integration, m.connection_id, m.url, m.secret,
      m.protocol_version`
  await Promise.all(
    ended.map(session =>
      endSession({ ...ctx, workspaceId: session.workspaceId }, session).catch((error: unknown) =>
        log('info', 'an MCP server did not end a session', { integration: session.integration, error })
      )
    )
  )
}

async function endSession(ctx: Ctx, { url, secret, protocolVersion, ...owner }: EndedSession): Promise<void> {
  const integration = await integrationIfAny(ctx, owner.integration)
  // A credential belongs to the server's current address only.
  if (integration?.mcp?.url !== url) return
  const row = await readConnection(ctx, owner.connectionId)
  const headers =
    row?.state === 'active' ? headerOf(integration, row.mode, decryptCredential(ctx, row, row.secrets)) : {}
  const id = ctx.ports.vault.decrypt(secret, purposeOf(owner))
  await endMcpSession({ id, protocolVersion }, url, (address, init) =>
    ctx.ports.fetch(address, { ...init, headers: { ...init?.headers, ...headers }, timeout: timeoutMs })
  )
}
