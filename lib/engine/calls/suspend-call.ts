import type { JsonSchema } from '@waystation/protocol/agent/agent.ts'
import type { AnswerPolicy, Identity } from '@waystation/protocol/call/answer-policy.ts'
import type { ElicitHint } from '@waystation/protocol/call/elicitation.ts'
import type { ConnectHint } from '@waystation/protocol/connection/connect-hint.ts'
import { inTransaction } from '#db/transaction.ts'
import { type Lease, lockForLease } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { freezeAnswerers } from './answerers.ts'
import { type CallRow, callColumns } from './call-row.ts'
import { defaults } from './defaults.ts'
import { notifyParent } from './notify-parent.ts'
import { notifyCall, watchDeadline } from './open.ts'
import { showCall } from './settle.ts'

/** The answer that a suspended call waits for. */
export type Suspension = {
  kind: 'connection' | 'question' | 'approval'
  /** Absent means that the existing hint stays. */
  render?: ConnectHint | ElicitHint
  outputSchema?: JsonSchema
  answer?: AnswerPolicy | undefined
  /**
   * For consent: the owner of the account, who is the only one who can answer, and the other people who asked
   * for the call.
   */
  owner?: Identity
  others?: string[]
}

/**
 * Suspends a server call that this worker claimed: withdraws the claim and reopens the call as a call that waits for a
 * person. Once approved, connected or answered, it runs again. The call has had no effect yet, or it would have a result
 * (`tools/execute.ts`).
 */
export async function suspendCall(
  ctx: Ctx,
  lease: Lease,
  toolCallId: string,
  { kind, render, outputSchema, answer, owner, others }: Suspension
): Promise<void> {
  const { seconds, onDeadline } = defaults[kind]
  await inTransaction(ctx, async tx => {
    const session = await lockForLease(tx, lease)
    const answerers =
      owner === undefined
        ? answer && (await freezeAnswerers(tx, session, answer, kind))
        : { people: [owner], links: false }
    const [row] = await tx.sql<CallRow[]>`
      update calls set kind = ${kind}, state = 'open', claimed_at = null, claimed_epoch = null, settled_at = null,
        warned_at = null, since = clock_timestamp(), deadline = clock_timestamp() + make_interval(secs => ${seconds}),
        on_deadline = ${onDeadline}, deadline_seconds = ${seconds},
        answerers = ${answerers ?? null}::jsonb,
        output_schema = ${outputSchema ?? null}::jsonb,
        render = case when ${render === undefined} then render else ${render ?? null}::jsonb end,
        account_of = case when ${owner === undefined} then account_of
          else account_of || ${{ asked: true, ...(others?.length ? { others } : {}) }}::jsonb end
      where session_key = ${lease.sessionKey} and tool_call_id = ${toolCallId} and result is null
        and claimed_epoch = ${lease.epoch}
      returning ${callColumns(tx.sql)}`
    if (row === undefined) return
    await showCall(tx, session, row)
    await watchDeadline(tx, session, row)
    await notifyCall(tx, session, 'call.opened', row)
    await notifyParent(tx, session)
  })
}
