import type { Actor, Role } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'

/**
 * What a request does, from harmless to far-reaching: look, talk to agents, answer for people, change agents, hand
 * out keys and roles.
 */
export type Scope = 'read' | 'send' | 'answer' | 'edit' | 'own'

const scopesOf = {
  viewer: ['read'],
  operator: ['read', 'send', 'answer'],
  editor: ['read', 'send', 'answer', 'edit'],
  owner: ['read', 'send', 'answer', 'edit', 'own']
} satisfies Record<Role, Scope[]>

export const may = (role: Role, scope: Scope): boolean => (scopesOf[role] as Scope[]).includes(scope)

/** Refuses (`403 FORBIDDEN`) what this caller's role does not cover. The server itself may do everything. */
export function demand(actor: Actor, scope: Scope): void {
  if (actor.kind === 'system' || may(actor.role, scope)) return
  const needed = { read: 'viewer', send: 'operator', answer: 'operator', edit: 'editor', own: 'owner' }[scope]
  throw new Refusal('FORBIDDEN', `Your role here is ${actor.role}; this needs ${needed}.`)
}
