import type { Identity } from '@waystation/protocol/call/answer-policy.ts'
import type { Answerer } from '@waystation/protocol/call/answerers.ts'
import type { Actor } from './ctx.ts'

/** Returns an identity that is unique even if names are not. An end user keeps it across session tokens. */
export function identityOf(actor: Actor): Identity {
  const { name } = actor
  switch (actor.kind) {
    case 'person':
      return { id: personId(actor.userId), name }
    case 'key':
      return { id: `key:${actor.keyId}`, name }
    case 'subject':
      return { id: `subject:${actor.subject}`, name }
    case 'system':
      return actor.behalf ?? { id: `system:${name}`, name }
  }
}

/** Returns the identity's ID for a user of this server. */
export const personId = (userId: string): string => `person:${userId}`

/** True if the sender is the server itself, such as an alarm. */
export const isOwn = (sender: Answerer | null): boolean => sender?.id?.startsWith('system:') ?? false

/** Describes the caller for `denialReason`. */
export function answererOf(actor: Actor): Answerer {
  const { id } = identityOf(actor)
  return {
    id,
    ...('role' in actor ? { role: actor.role } : {}),
    ...(id.startsWith('subject:') ? { unknown: true } : {})
  }
}

/** True for owners, editors, and API keys with these roles. */
export const canEdit = (actor: Actor): boolean =>
  'role' in actor && (actor.role === 'owner' || actor.role === 'editor')

/**
 * True for callers that can choose an end user to act for: those that can edit the workspace, and the server itself.
 */
export const canActForUsers = (actor: Actor): boolean => actor.kind === 'system' || canEdit(actor)

/** True for users and end users, who can have accounts of their own. API keys and the server have none. */
export const hasAccounts = <T extends Pick<Identity, 'id'>>(identity: T | undefined): identity is T =>
  identity !== undefined && /^(person|subject):/.test(identity.id)
