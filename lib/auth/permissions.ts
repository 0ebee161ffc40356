import type { Actor } from '#lib/kernel/ctx.ts'
import { may, type Scope } from './scope.ts'

/** What a page may offer its reader. The verbs check again: this only keeps dead buttons off the page. */
export type Permissions = {
  name: string
  maySend: boolean
  mayAnswer: boolean
  mayEdit: boolean
  mayOwn: boolean
}

export function permissionsOf(actor: Actor): Permissions {
  const covers = (scope: Scope) => actor.kind === 'system' || may(actor.role, scope)
  return {
    name: actor.name,
    maySend: covers('send'),
    mayAnswer: covers('answer'),
    mayEdit: covers('edit'),
    mayOwn: covers('own')
  }
}
