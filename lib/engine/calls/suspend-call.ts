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

type Suspension = {
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
 * Suspends a server call that lacks an account: withdraws its claim and reopens it as a call of kind
 * `connection`. Once connected, the call runs again; otherwise it gets an error that it did not run. The call
 * has had no effect yet, or it would have a result (`tools/execute.ts`).
 */
export const askConnection = (ctx: Ctx, lease: Lease, toolCallId: string, ask: ConnectionAsk) =>
  suspendCall(ctx, lease, toolCallId, { kind: 'connection', render: { kind: 'connect', ...ask } })

/**
 * Suspends a server call whose MCP server asks a person a question, as a call of kind `question`. The people
 * who can answer questions of this tool can answer it. Once answered, the call runs again, and the server
 * receives the answer when it repeats the question.
 */
export const askQuestion = (
  ctx: Ctx,
  lease: Lease,
  toolCallId: string,
  ask: QuestionAsk,
  answer: AnswerPolicy | undefined
) =>
  suspendCall(ctx, lease, toolCallId, {
    kind: 'question',
    render: { kind: 'elicit', ...ask },
    outputSchema: ask.schema,
    answer
  })

/**
 * Suspends a server call that would use one person's account although the agent has received text from
 * others. The call waits as an `approval` that only the owner of the account can answer. Once approved, it
 * runs again with that account.
 */
export const askConsent = (ctx: Ctx, lease: Lease, toolCallId: string, { account }: ConsentAsk) =>
  suspendCall(ctx, lease, toolCallId, {
    kind: 'approval',
    owner: { id: account.id, name: account.name },
    others: account.others ?? []
  })

async function suspendCall(
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
