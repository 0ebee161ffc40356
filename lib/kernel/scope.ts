import { z } from 'zod'
import type { Actor, Role } from './ctx.ts'
import { Refusal } from './refusal.ts'

/**
 * What a request does, from harmless to far-reaching: look, talk to agents, answer for people, change agents, hand
 * out keys and roles.
 */
export type Scope = 'read' | 'send' | 'answer' | 'edit' | 'own'

/** Those of them that a session token may have: at least one, each once. */
export const SubjectScopes = z
  .array(z.enum(['read', 'send', 'answer']))
  .min(1)
  .refine(scopes => new Set(scopes).size === scopes.length, 'list each scope only once')

const scopesOf = {
  viewer: ['read'],
  operator: ['read', 'send', 'answer'],
  editor: ['read', 'send', 'answer', 'edit'],
  owner: ['read', 'send', 'answer', 'edit', 'own']
} satisfies Record<Role, Scope[]>

export const may = (role: Role, scope: Scope): boolean => (scopesOf[role] as Scope[]).includes(scope)

/** Whether this caller's role or token covers it. The server itself may do everything. */
export function covers(actor: Actor, scope: Scope): boolean {
  switch (actor.kind) {
    case 'system':
      return true
    case 'subject':
      return (actor.scopes as Scope[]).includes(scope)
    case 'person':
    case 'key':
      return may(actor.role, scope)
  }
}

/** Refuses (`403 FORBIDDEN`) what this caller's role or token does not cover. */
export function demand(actor: Actor, scope: Scope): void {
  if (actor.kind === 'system' || covers(actor, scope)) return
  if (actor.kind === 'subject')
    throw new Refusal(
      'FORBIDDEN',
      `This request needs the scope ${scope}, but the session token has only ${actor.scopes.join(', ')}.`
    )
  const needed = { read: 'viewer', send: 'operator', answer: 'operator', edit: 'editor', own: 'owner' }[scope]
  throw new Refusal(
    'FORBIDDEN',
    `This action needs the role ${needed}, but your role is ${actor.role}. Ask an owner for access.`
  )
}
