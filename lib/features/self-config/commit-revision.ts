import { ApiError } from '@waystation/base/api-error.ts'
import {
  type CommitRevision,
  type CommittedRevision,
  revisionIdOf
} from '@waystation/protocol/agent/own-config.ts'
import { inTransaction } from '#db/transaction.ts'
import { agentOfCall } from '#lib/agents/agent-of-call.ts'
import { lockAgent } from '#lib/agents/draft-state.ts'
import { publishConfig } from '#lib/agents/publish-config.ts'
import { append } from '#lib/engine/log/append.ts'
import { type Lease, lockForLease } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { checkProposal } from './proposal.ts'

type Call = { kind: string; state: string; answeredBy: string | null; messageId: string; turnId: string }

/**
 * Publishes an agent's proposal for itself and appends `data-committed-revision` to the session, in one
 * fenced transaction (002-16). A change that adds permissions is published only if this call was approved,
 * perhaps with edits. The base revision is checked again under the agent's lock, so the second of two
 * concurrent proposals is a conflict. Throws `FORBIDDEN`, and the errors of `checkProposal`.
 */
export async function commitOwnRevision(
  ctx: Ctx,
  lease: Lease,
  toolCallId: string,
  input: CommitRevision
): Promise<CommittedRevision> {
  return inTransaction(ctx, async tx => {
    const session = await lockForLease(tx, lease)
    const agentId = await agentOfCall(tx, session.sessionKey, toolCallId)
    const agent = await lockAgent(tx, agentId)
    const { config, note, widens } = await checkProposal(tx, { ...session, agentId }, input)
    const [call] = await tx.sql<Call[]>`
      select kind, state, answered_by, message_id, turn_id from calls
      where session_key = ${session.sessionKey} and tool_call_id = ${toolCallId}`
    const approver = call?.kind === 'approval' && call.state === 'approved' ? call.answeredBy : null
    if (call === undefined || (widens.length > 0 && approver === null))
      throw new ApiError(
        'FORBIDDEN',
        'The change gives the agent more permissions and was not approved. Nothing was published.'
      )
    const name = approver === null ? config.displayName : `${config.displayName}, approved by ${approver}`
    const by: Ctx = { ...tx, actor: { kind: 'system', name, workspaceId: tx.workspaceId } }
    const { revision } = await publishConfig(by, agent, config, { source: 'agent', note, endsDraft: false })
    const committed = {
      variantId: agentId,
      revisionId: revisionIdOf(agentId, revision),
      version: revision
    }
    const chunk = { type: 'data-committed-revision' as const, id: committed.revisionId, data: committed }
    const { messageId, turnId } = call
    append(tx, session, [{ type: 'chunk', messageId, turnId, chunk }])
    return committed
  })
}
