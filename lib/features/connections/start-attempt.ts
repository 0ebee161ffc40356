import { ApiError } from '@waystation/base/api-error.ts'
import { newId } from '@waystation/base/ids.ts'
import type { BegunConnect, ConnectMode } from '@waystation/protocol/connection/connection.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { publicPaths, withValue } from '#lib/kernel/public-paths.ts'
import { attemptSeconds, hashSecret, newSecret } from './attempt.ts'
import { type Integration, modesOf } from './integration.ts'
import type { Owner, SessionGeneration } from './owner.ts'

/** The parameters of a new attempt. `scopes` are added to those of the integration. */
export type NewAttempt = Owner & {
  integration: Integration
  slug: string
  mode?: ConnectMode | undefined
  scopes?: readonly string[] | undefined
  call?: SessionGeneration & { toolCallId: string }
  /** The origin of the page that opens the connection window. */
  opener: string
}

/**
 * Creates an attempt and returns its URL, which is bound to the first browser that opens it and valid for ten
 * minutes. Only the user who started it can continue, so that no one is tricked into connecting their account
 * to another user's session.
 */
export async function startAttempt(ctx: Ctx, beginning: NewAttempt): Promise<BegunConnect> {
  const { integration, slug, sharing, owner, ownerName, call, opener } = beginning
  const mode = modeOf(integration, beginning.mode)
  const attemptId = newId('att')
  const ticket = newSecret()
  const creator = identityOf(ctx.actor)
  const scopes = [...new Set([...(integration.oauth?.scopes ?? []), ...(beginning.scopes ?? [])])]
  const [row] = await ctx.sql<{ expiresAt: string }[]>`
    insert into connection_attempts (id, workspace_id, integration, slug, mode, sharing, owner, owner_name, session_key,
      generation, tool_call_id, scopes, begun_by, begun_by_id, opener, ticket_hash, created_at, expires_at)
    values (${attemptId}, ${ctx.workspaceId}, ${integration.integration}, ${slug}, ${mode}, ${sharing}, ${owner}, ${ownerName},
      ${call?.sessionKey ?? null}, ${call?.generation ?? null}, ${call?.toolCallId ?? null},
      ${mode === 'api_key' ? [] : scopes}::jsonb, ${creator.name}, ${creator.id}, ${opener}, ${hashSecret(ticket)},
      clock_timestamp(), clock_timestamp() + make_interval(secs => ${attemptSeconds}))
    returning expires_at`
  return {
    attemptId,
    mode,
    url: ctx.ports.origin + withValue(publicPaths.connect, ticket),
    expiresAt: row?.expiresAt ?? ''
  }
}

function modeOf(integration: Integration, requested: ConnectMode | undefined): ConnectMode {
  const modes = modesOf(integration)
  const mode = requested !== undefined && modes.includes(requested) ? requested : modes[0]
  if (mode === undefined)
    throw new ApiError(
      'CONFLICT',
      `${integration.service} is not set up. Ask an owner to set it up under Connections.`
    )
  return mode
}
