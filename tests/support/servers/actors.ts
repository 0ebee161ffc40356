import type { Actor, Ctx, Role } from '#lib/kernel/ctx.ts'

/** A member of the default workspace. */
export const person = (userId: string, role: Role = 'operator'): Actor => ({
  kind: 'person',
  userId,
  name: userId,
  role,
  workspaceId: 'default'
})

/**
 * An API key of the default workspace. The server reads roles from the rows of keys, so only the ID `environment` works
 * without a row.
 */
export const keyOf = (role: Role, keyId: string = role): Actor => ({
  kind: 'key',
  keyId,
  name: keyId,
  role,
  workspaceId: 'default'
})

/** The end user Eve, with a token of this session. */
export const eveIn = (sessionId: string): Actor => ({
  kind: 'subject',
  tokenId: 't',
  name: 'eve',
  subject: 'eve',
  scopes: ['read', 'send', 'answer'],
  sessionId,
  generation: 1,
  workspaceId: 'default'
})

/** Returns the context with another actor. */
export const by = (ctx: Ctx, actor: Actor): Ctx => ({ ...ctx, actor })
