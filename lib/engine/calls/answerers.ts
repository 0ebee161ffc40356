import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { answererOf, personId } from '#lib/kernel/identity.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import {
  type Answerers,
  type AnswerPolicy,
  denialReason,
  type Identity,
  isAskedOfPeople
} from '#lib/protocol/call/answerers.ts'
import type { CallKind, Via } from '#lib/protocol/call/call.ts'
import { askersOf } from './askers.ts'
import type { CallRow } from './call-row.ts'

/**
 * A policy as a call of this kind keeps it: with the names of its people and, of an approval, of those whose message led to
 * it. Undefined: it bars nobody from such a call.
 */
export async function freezeAnswerers(
  ctx: Ctx,
  head: LockedSession,
  policy: AnswerPolicy,
  kind: CallKind
): Promise<Answerers | undefined> {
  if (!isAskedOfPeople(kind)) return undefined
  const { roles, people } = policy
  const notAsker = policy.notAsker === true && kind === 'approval'
  const isOpen = roles === undefined && people === undefined && !notAsker
  const links = policy.links ?? isOpen
  if (isOpen && links) return undefined
  return {
    ...(roles === undefined ? {} : { roles }),
    ...(people === undefined ? {} : { people: await namesOf(ctx, people) }),
    ...(notAsker ? { askers: await askersOf(ctx, head) } : {}),
    links
  }
}

/** Members of the workspace by name; one who is no member (any more) stays an ID that nobody answers by. */
async function namesOf(ctx: Ctx, userIds: readonly string[]): Promise<Identity[]> {
  const known = await ctx.sql<{ id: string; name: string }[]>`
    select u.id, u.name from users u join members m on m.user_id = u.id
    where m.workspace_id = ${ctx.workspaceId} and u.id = any(${userIds as string[]})`
  const names = new Map(known.map(({ id, name }) => [id, name]))
  return userIds.map(id => ({ id: personId(id), name: names.get(id) ?? 'a former member' }))
}

/**
 * Refuses (`403 FORBIDDEN`) who may not answer this call by the policy that it opened with. Declining and cancelling are
 * answers. The server itself (a deadline) is not asked; who comes through an answer link is nobody it knows.
 */
export function checkMayAnswer(ctx: Ctx, call: CallRow, via?: Via): void {
  if (ctx.actor.kind === 'system' && via !== 'link') return
  const by = via === 'link' ? { unknown: true } : answererOf(ctx.actor)
  const why = denialReason({ kind: call.kind, answerers: call.answerers ?? undefined }, by)
  if (why !== undefined) throw new Refusal('FORBIDDEN', why)
}
