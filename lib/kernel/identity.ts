import type { Answerer, Identity } from '#lib/protocol/call/answerers.ts'
import type { Actor } from './ctx.ts'

/** Who this is, also when somebody else has the same name. An end user is the same person with tomorrow's token. */
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

/** The identity of a person of this server, by their user ID. */
export const personId = (userId: string): string => `person:${userId}`

/** Whether it is the server's own doing (an alarm), and nobody's. */
export const isOwn = (sender: Answerer | null): boolean => sender?.id?.startsWith('system:') ?? false

/** What is known of somebody who would answer. */
export function answererOf(actor: Actor): Answerer {
  const { id } = identityOf(actor)
  return {
    id,
    ...('role' in actor ? { role: actor.role } : {}),
    ...(id.startsWith('subject:') ? { unknown: true } : {})
  }
}

/** Whether somebody may change what is the workspace's: its owners and editors, and their keys. */
export const mayEdit = (actor: Actor): boolean =>
  'role' in actor && (actor.role === 'owner' || actor.role === 'editor')

/** Whether somebody may say for which end user something is done: who may change the workspace, and the server itself. */
export const maySpeakForUsers = (actor: Actor): boolean => actor.kind === 'system' || mayEdit(actor)

/** A person or an end user has accounts of their own. A program that writes to a session has none. */
export const hasAccounts = <Who extends Pick<Identity, 'id'>>(who: Who | undefined): who is Who =>
  who !== undefined && /^(person|subject):/.test(who.id)
