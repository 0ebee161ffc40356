import { ApiError, invalid } from '@waystation/base/api-error.ts'
import { digestOf } from '@waystation/base/digest.ts'
import { newId } from '@waystation/base/ids.ts'
import type { Answer, Via } from '@waystation/protocol/call/call.ts'
import { isRememberable } from '@waystation/protocol/call/tool-names.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { answererOf } from '#lib/kernel/identity.ts'
import { recordGrant } from './audit-grant.ts'

/**
 * Throws if an approval cannot be remembered, before it takes effect. Only members of the workspace can use
 * "remember", and only owners for the whole workspace. Links identify no one, and config changes of agents
 * are reviewed each time.
 */
export function checkMayRemember(ctx: Ctx, call: CallRow, answer: Answer, via: Via | undefined): void {
  if (!('approved' in answer)) return
  const { remember, anyArguments, approved } = answer
  if (remember === undefined) {
    if (anyArguments === undefined) return
    throw invalid('"anyArguments" works only together with "remember". Send both, or omit "anyArguments".')
  }
  if (!approved || call.kind !== 'approval')
    throw invalid('Only an approval can be remembered: omit "remember". The call is still open.')
  if (via !== undefined || ctx.actor.kind === 'subject')
    throw new ApiError(
      'FORBIDDEN',
      'Links and session tokens cannot use "remember". Omit "remember", or let a member of this workspace approve the call.'
    )
  // This approval accepts the changed text of a tool, or permits the use of a user's account. Both need a
  // review each time.
  const needsReview = call.render?.kind === 'tool-changed' || call.accountOf?.asked === true
  if (!isRememberable(call.toolName) || call.toolDigest === null || needsReview)
    throw new ApiError(
      'FORBIDDEN',
      `Each call of ${call.toolName} needs its own approval: omit "remember". The call is still open.`
    )
  if (remember === 'always' && !isOwner(ctx.actor))
    throw new ApiError(
      'FORBIDDEN',
      'Only workspace owners can use "remember": "always". Use "session", or omit "remember".'
    )
}

/** Returns whether the actor can change the workspace's tool rules. */
const isOwner = (actor: Actor): boolean =>
  actor.kind === 'system' || (actor.kind !== 'subject' && actor.role === 'owner')

/**
 * Stores an approval for later calls if the answer requests it. Runs in the transaction that settles the
 * call. `edited`: the arguments that were approved.
 */
export async function storeGrant(
  tx: Ctx,
  session: LockedSession,
  { toolName, toolDigest, toolCallId, messageId, input }: CallRow,
  answer: Answer,
  edited?: unknown
): Promise<void> {
  if (!('approved' in answer) || answer.remember === undefined || toolDigest === null) return
  const approved = edited ?? input
  const { id = null, role = null } = answererOf(tx.actor)
  const forSession = answer.remember === 'session'
  const sameArguments = answer.anyArguments !== true
  const grantId = newId('grant')
  await tx.sql`
    insert into grants (id, workspace_id, session_key, generation, tool_name, tool_digest, input_digest, input, granted_by,
      granter_id, granter_role, session_id, message_id, tool_call_id, at)
    values (${grantId}, ${session.workspaceId}, ${forSession ? session.sessionKey : null}, ${forSession ? session.generation : null}, ${toolName},
      ${toolDigest}, ${sameArguments ? digestOf(approved) : null}, ${sameArguments ? (approved as object) : null}::jsonb, ${tx.actor.name},
      ${id}, ${role}, ${session.sessionId}, ${messageId}, ${toolCallId}, clock_timestamp())`
  const by = { actor: tx.actor.name, credential: `grant ${grantId}` }
  await recordGrant(tx, { ...session, messageId, toolCallId, toolName }, { ...by, action: 'grant.made' })
}
