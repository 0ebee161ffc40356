import type { Actor } from '#lib/kernel/ctx.ts'
import { covers } from './scope.ts'

/** What a page may offer its reader. The verbs check again: this only keeps dead buttons off the page. */
export type Permissions = {
  name: string
  maySend: boolean
  mayAnswer: boolean
  mayEdit: boolean
  mayOwn: boolean
}

export function permissionsOf(actor: Actor): Permissions {
  return {
    name: actor.name,
    maySend: covers(actor, 'send'),
    mayAnswer: covers(actor, 'answer'),
    mayEdit: covers(actor, 'edit'),
    mayOwn: covers(actor, 'own')
  }
}
