import { ApiError } from '@waystation/base/api-error.ts'
import type { Answerers, AnswerPolicy, Identity } from '@waystation/protocol/call/answer-policy.ts'
import { denialReason, isAskedOfPeople } from '@waystation/protocol/call/answerers.ts'
import type { CallKind, Via } from '@waystation/protocol/call/call.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { answererOf, personId } from '#lib/kernel/identity.ts'
import { askersOf } from './askers.ts'
import type { CallRow } from './call-row.ts'

/**
 * Freezes an answer policy for a call of this kind. Adds the names of the listed people and, if an approval
 * excludes the askers, the people whose message led to it. Returns undefined if the policy excludes no one.
 */
export async function freezeAnswerers(
  ctx: Ctx,
  session: LockedSession,
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
    ...(notAsker ? { askers: await askersOf(ctx, session) } : {}),
    links
  }
}

/**
 * Returns the listed users with their names. A user who is no longer a member keeps the ID, which no one can
 * answer with.
 */
async function namesOf(ctx: Ctx, userIds: readonly string[]): Promise<Identity[]> {
  const members = await ctx.sql<{ id: string; name: string }[]>`
    select u.id, u.name from users u join members m on m.user_id = u.id
    where m.workspace_id = ${ctx.workspaceId} and u.id = any(${userIds as string[]})`
  const names = new Map(members.map(({ id, name }) => [id, name]))
  return userIds.map(id => ({ id: personId(id), name: names.get(id) ?? 'a former member' }))
}

/**
 * Throws `403 FORBIDDEN` if the call's answer policy excludes the caller. The policy also applies to
 * declining and canceling. The server itself, for example at a deadline, is exempt. The user of an answer
 * link is treated as unknown.
 */
export function checkMayAnswer(ctx: Ctx, call: CallRow, via?: Via): void {
  if (ctx.actor.kind === 'system' && via !== 'link') return
  const answerer = via === 'link' ? { unknown: true } : answererOf(ctx.actor)
  const reason = denialReason({ kind: call.kind, answerers: call.answerers ?? undefined }, answerer)
  if (reason !== undefined) throw new ApiError('FORBIDDEN', reason)
}
