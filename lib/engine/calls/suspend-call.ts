import { inTransaction } from '#db/transaction.ts'
import { type Lease, lockForLease } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ConnectionAsk, ConsentAsk } from '#lib/kernel/ports/connection-needed.ts'
import type { QuestionAsk } from '#lib/kernel/ports/question-needed.ts'
import type { JsonSchema } from '#lib/protocol/agent/agent.ts'
import type { AnswerPolicy, Identity } from '#lib/protocol/call/answerers.ts'
import type { ElicitHint } from '#lib/protocol/call/elicitation.ts'
import type { ConnectHint } from '#lib/protocol/connection/connection.ts'
import { freezeAnswerers } from './answerers.ts'
import { type CallRow, callColumns } from './call-row.ts'
import { defaults } from './defaults.ts'
import { notifyParent } from './notify-parent.ts'
import { notifyCall, watchDeadline } from './open.ts'
import { showCall } from './settle.ts'

type Asked = {
  kind: 'connection' | 'question' | 'approval'
  /** Absent: it is shown as it was. */
  render?: ConnectHint | ElicitHint
  outputSchema?: JsonSchema
  answer?: AnswerPolicy | undefined
  /** Whose account it would use, who alone answers; and who else asked for it. */
  owner?: Identity
  others?: string[]
}

/**
 * A tool of ours that was refused for want of an account asks for one instead of failing: its call gives its claim back and
 * waits, as a call of kind `connection`, for as long as that kind does. Connected, it is run again; otherwise it is told that
 * it did not run. It had done nothing yet, or it would have come to a result (`tools/execute.ts`).
 */
export const askConnection = (ctx: Ctx, lease: Lease, toolCallId: string, ask: ConnectionAsk) =>
  askInMiddle(ctx, lease, toolCallId, { kind: 'connection', render: { kind: 'connect', ...ask } })

/**
 * A tool whose server asks a person something waits the same way, as a call of kind `question` that those may answer who may
 * answer what this tool asks. Answered, it is run again, and its server is told that answer when it asks again.
 */
export const askQuestion = (
  ctx: Ctx,
  lease: Lease,
  toolCallId: string,
  ask: QuestionAsk,
  answer: AnswerPolicy | undefined
) =>
  askInMiddle(ctx, lease, toolCallId, {
    kind: 'question',
    render: { kind: 'elicit', ...ask },
    outputSchema: ask.schema,
    answer
  })

/**
 * A tool would use one person's account, but the agent has received words of others, too. The call then waits as an `approval` that only
 * the owner of the account can answer. Approved, the tool runs again with that account.
 */
export const askConsent = (ctx: Ctx, lease: Lease, toolCallId: string, { account }: ConsentAsk) =>
  askInMiddle(ctx, lease, toolCallId, {
    kind: 'approval',
    owner: { id: account.id, name: account.name },
    others: account.others ?? []
  })

async function askInMiddle(
  ctx: Ctx,
  lease: Lease,
  toolCallId: string,
  { kind, render, outputSchema, answer, owner, others }: Asked
): Promise<void> {
  const { seconds, onDeadline } = defaults[kind]
  await inTransaction(ctx, async tx => {
    const head = await lockForLease(tx, lease)
    const answerers =
      owner === undefined
        ? answer && (await freezeAnswerers(tx, head, answer, kind))
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
    await showCall(tx, head, row)
    await watchDeadline(tx, head, row)
    await notifyCall(tx, head, 'call.opened', row)
    await notifyParent(tx, head)
  })
}
