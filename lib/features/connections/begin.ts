import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { newId } from '#lib/kernel/ids.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { BegunConnect, ConnectMode } from '#lib/protocol/connection/connection.ts'
import { attemptSeconds, hashOf, newSecret } from './attempt.ts'
import { type Integration, modesOf } from './integration.ts'
import type { InLife, Owner } from './owner.ts'

/** What somebody begins to connect. `scopes`: beyond those that the integration asks for anyway. */
export type Beginning = Owner & {
  integration: Integration
  slug: string
  mode?: ConnectMode | undefined
  scopes?: readonly string[] | undefined
  call?: InLife & { toolCallId: string }
  /** The origin of the page that opens the window. */
  opener: string
}

/**
 * Begins an attempt, and gives the address at which it goes on: in the browser that opens it first, for ten minutes. Whoever
 * began it must be who goes on with it, so that nobody is made to connect their account to somebody else's session.
 */
export async function begin(ctx: Ctx, beginning: Beginning): Promise<BegunConnect> {
  const { integration, slug, sharing, owner, ownerName, call, opener } = beginning
  const mode = modeOf(integration, beginning.mode)
  const attemptId = newId('att')
  const ticket = newSecret()
  const me = identityOf(ctx.actor)
  const scopes = [...new Set([...(integration.oauth?.scopes ?? []), ...(beginning.scopes ?? [])])]
  const [row] = await ctx.sql<{ expiresAt: string }[]>`
    insert into connection_attempts (id, workspace_id, integration, slug, mode, sharing, owner, owner_name, session_key,
      generation, tool_call_id, scopes, begun_by, begun_by_id, opener, ticket_hash, created_at, expires_at)
    values (${attemptId}, ${ctx.workspaceId}, ${integration.integration}, ${slug}, ${mode}, ${sharing}, ${owner}, ${ownerName},
      ${call?.sessionKey ?? null}, ${call?.generation ?? null}, ${call?.toolCallId ?? null},
      ${mode === 'api_key' ? [] : scopes}::jsonb, ${me.name}, ${me.id}, ${opener}, ${hashOf(ticket)},
      clock_timestamp(), clock_timestamp() + make_interval(secs => ${attemptSeconds}))
    returning expires_at`
  return {
    attemptId,
    mode,
    url: `${ctx.ports.origin}/connect/${ticket}`,
    expiresAt: row?.expiresAt ?? ''
  }
}

function modeOf(integration: Integration, wanted: ConnectMode | undefined): ConnectMode {
  const modes = modesOf(integration)
  const mode = wanted !== undefined && modes.includes(wanted) ? wanted : modes[0]
  if (mode === undefined)
    throw new Refusal(
      'CONFLICT',
      `${integration.service} is not set up. Ask an owner to set it up under Connections.`
    )
  return mode
}
