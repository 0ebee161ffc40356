import { ApiError } from '@waystation/base/api-error.ts'
import { z } from 'zod'
import type { Actor, Role } from './ctx.ts'

/**
 * The permission that a request needs, from harmless to far-reaching: read, talk to agents, answer requests, change
 * agents, manage keys and roles.
 */
export type Scope = 'read' | 'send' | 'answer' | 'edit' | 'own'

/** The scopes that a session token can have: at least one, without duplicates. */
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

/** True if the role has the scope. */
export const may = (role: Role, scope: Scope): boolean => (scopesOf[role] as Scope[]).includes(scope)

/** True if the caller's role or token has the scope. The server itself has all scopes. */
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

/** Throws `FORBIDDEN` if the caller's role or token does not have the scope. */
export function demand(actor: Actor, scope: Scope): void {
  if (actor.kind === 'system' || covers(actor, scope)) return
  if (actor.kind === 'subject')
    throw new ApiError(
      'FORBIDDEN',
      `This request needs the scope ${scope}, but the session token has only ${actor.scopes.join(', ')}.`
    )
  const needed = { read: 'viewer', send: 'operator', answer: 'operator', edit: 'editor', own: 'owner' }[scope]
  throw new ApiError(
    'FORBIDDEN',
    `This action needs the role ${needed}, but your role is ${actor.role}. Ask an owner for access.`
  )
}
