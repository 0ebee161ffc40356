import type { Actor } from '#lib/kernel/ctx.ts'
import { answererOf } from '#lib/kernel/identity.ts'
import { covers } from '#lib/kernel/scope.ts'

/** What a page may offer its reader. The verbs check again: this only keeps dead buttons off the page. */
export type Permissions = {
  /** Who this is to a call's policy, which names people by ID and by role. */
  id: string | undefined
  role: string | undefined
  name: string
  maySend: boolean
  mayAnswer: boolean
  mayEdit: boolean
  mayOwn: boolean
}

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
