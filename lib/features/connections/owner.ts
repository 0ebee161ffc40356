import { ApiError } from '@waystation/base/api-error.ts'
import type { Identity } from '@waystation/protocol/call/answer-policy.ts'
import type { Sharing } from '@waystation/protocol/connection/connection.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { canEdit, hasAccounts, identityOf } from '#lib/kernel/identity.ts'

/** The owner of a connection. `owner` is an identity, a session's generation, or empty for the workspace. */
export type Owner = { sharing: Sharing; owner: string; ownerName: string }

/** A session in one generation. */
export type SessionGeneration = { sessionKey: number; generation: number; sessionId: string }

/**
 * Returns the owner of a connection that a call requests. `principal` is the user whose own accounts the call
 * may use. If it must be the user's own and no user is known, the session owns it. Throws `FORBIDDEN` if the
 * account belongs to another user, or to the workspace and the caller is not an editor.
 */
export function ownerForCall(
  ctx: Ctx,
  session: SessionGeneration,
  principal: Identity | null,
  sharing: Sharing
): Owner {
  if (sharing === 'workspace') return theWorkspace(ctx)
  const sessionOwner: Owner = {
    sharing: 'session',
    owner: ownerOfGeneration(session),
    ownerName: `session ${session.sessionId}`
  }
  if (sharing === 'session') return sessionOwner
  if (principal === null) return sessionOwner
  const isOwn = identityOf(ctx.actor).id === principal.id
  // A product's server, which also declares who its end users are, passes the URL on to its own end user.
  const isOwnEndUser = ctx.actor.kind === 'key' && canEdit(ctx.actor) && principal.id.startsWith('subject:')
  if (!isOwn && !isOwnEndUser)
    throw new ApiError(
      'FORBIDDEN',
      `The agent acts for ${principal.name} in this session, so only ${principal.name} can connect an account. You can decline.`
    )
  return { sharing: 'user', owner: principal.id, ownerName: principal.name }
}

/**
 * Returns the owner of a connection that a user starts on the connections page. Throws `INVALID_INPUT` or
 * `FORBIDDEN`.
 */
export function ownerForPage(ctx: Ctx, sharing: Sharing): Owner {
  if (sharing === 'workspace') return theWorkspace(ctx)
  const identity = identityOf(ctx.actor)
  if (sharing === 'session')
    throw new ApiError('INVALID_INPUT', 'To connect an account for one session, connect in that session.')
  if (!hasAccounts(identity))
    throw new ApiError(
      'INVALID_INPUT',
      'An API key has no account of its own. Use "sharing": "workspace", or connect in a session.'
    )
  return { sharing: 'user', owner: identity.id, ownerName: identity.name }
}

/** Returns the owner ID of connections that belong to one generation of a session. */
export const ownerOfGeneration = ({
  sessionKey,
  generation
}: Pick<SessionGeneration, 'sessionKey' | 'generation'>): string => `session:${sessionKey}:${generation}`

/** The workspace's connection serves every session, so it requires permission to edit agents. */
function theWorkspace({ actor }: Ctx): Owner {
  if (canEdit(actor)) return { sharing: 'workspace', owner: '', ownerName: 'the workspace' }
  throw new ApiError('FORBIDDEN', 'Only editors and owners can connect an account for the whole workspace.')
}
