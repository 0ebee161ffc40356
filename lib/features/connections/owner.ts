import type { Ctx } from '#lib/kernel/ctx.ts'
import { hasAccounts, identityOf, mayEdit } from '#lib/kernel/identity.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { Identity } from '#lib/protocol/call/answerers.ts'
import type { Sharing } from '#lib/protocol/connection/connection.ts'

/** Whose a connection is. `owner`: an identity, a life of a session, or nothing for the workspace. */
export type Owner = { sharing: Sharing; owner: string; ownerName: string }

/** A life of a session, as far as connections go. */
export type InLife = { sessionKey: number; generation: number; sessionId: string }

/**
 * Whose the connection will be that a call of this session asks for; `principal`: whose own accounts the call may use. Where it is to be the user's own and no user is
 * known, it is the session's. `FORBIDDEN` when it is somebody else's own account, or the workspace's and they are no editor.
 */
export function ownerForCall(ctx: Ctx, life: InLife, principal: Identity | null, sharing: Sharing): Owner {
  if (sharing === 'workspace') return theWorkspace(ctx)
  const session: Owner = {
    sharing: 'session',
    owner: ownerOfLife(life),
    ownerName: `session ${life.sessionId}`
  }
  if (sharing === 'session') return session
  if (principal === null) return session
  const mine = identityOf(ctx.actor).id === principal.id
  // A product's server, which also says who its users are, hands the address on to its own user.
  const forTheirUser = ctx.actor.kind === 'key' && mayEdit(ctx.actor) && principal.id.startsWith('subject:')
  if (!mine && !forTheirUser)
    throw new Refusal(
      'FORBIDDEN',
      `The agent acts for ${principal.name} in this session, so only ${principal.name} can connect an account. You can decline.`
    )
  return { sharing: 'user', owner: principal.id, ownerName: principal.name }
}

/** Whose a connection will be that somebody makes on the page of connections. */
export function ownerForPage(ctx: Ctx, sharing: Sharing): Owner {
  if (sharing === 'workspace') return theWorkspace(ctx)
  const me = identityOf(ctx.actor)
  if (sharing === 'session')
    throw new Refusal('INVALID_INPUT', 'To connect an account for one session, connect in that session.')
  if (!hasAccounts(me))
    throw new Refusal(
      'INVALID_INPUT',
      'An API key has no account of its own. Use "sharing": "workspace", or connect in a session.'
    )
  return { sharing: 'user', owner: me.id, ownerName: me.name }
}

export const ownerOfLife = ({ sessionKey, generation }: Pick<InLife, 'sessionKey' | 'generation'>): string =>
  `session:${sessionKey}:${generation}`

/** Every session's: whoever may change agents connects it, wherever they were asked. */
function theWorkspace({ actor }: Ctx): Owner {
  if (mayEdit(actor)) return { sharing: 'workspace', owner: '', ownerName: 'the workspace' }
  throw new Refusal('FORBIDDEN', 'Only editors and owners can connect an account for the whole workspace.')
}
