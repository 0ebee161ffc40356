import type { Actor } from '#lib/kernel/ctx.ts'
import { answererOf } from '#lib/kernel/identity.ts'
import { covers } from '#lib/kernel/scope.ts'

/**
 * The actions that a page offers its reader. It only hides useless buttons, because the verbs check permissions again.
 */
export type Permissions = {
  /** The reader's ID and role, which call policies refer to. */
  id: string | undefined
  role: string | undefined
  name: string
  maySend: boolean
  mayAnswer: boolean
  mayEdit: boolean
  mayOwn: boolean
}

/** Returns the page permissions of an actor. */
export function permissionsOf(actor: Actor): Permissions {
  const { id, role } = answererOf(actor)
  return {
    id,
    role,
    name: actor.name,
    maySend: covers(actor, 'send'),
    mayAnswer: covers(actor, 'answer'),
    mayEdit: covers(actor, 'edit'),
    mayOwn: covers(actor, 'own')
  }
}
