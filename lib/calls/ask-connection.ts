import { json } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import { type Lease, lockOwned } from '#lib/events/head.ts'
import type { ConnectionAsk } from '#lib/kernel/connection-needed.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ConnectHint } from '#lib/protocol/connection.ts'
import { type CallRow, callColumns } from './call-row.ts'
import { defaults } from './defaults.ts'
import { fireCall, watchDeadline } from './open.ts'
import { showCall } from './settle.ts'

/**
 * A tool of ours that was refused for want of an account asks for one instead of failing: its call gives its claim back and
 * waits, as a call of kind `connection`, for as long as that kind does. Connected, it is run again; otherwise it is told that
 * it did not run. It had done nothing yet, or it would have come to a result (`tools/execute.ts`).
 */
export async function askConnection(
  ctx: Ctx,
  lease: Lease,
  toolCallId: string,
  ask: ConnectionAsk
): Promise<void> {
  const { seconds, onDeadline } = defaults.connection
  const render: ConnectHint = { kind: 'connect', ...ask }
  await inTransaction(ctx, async tx => {
    const head = await lockOwned(tx, lease)
    const [row] = await tx.sql<CallRow[]>`
      update calls set kind = 'connection', state = 'open', claimed_at = null, claimed_epoch = null, settled_at = null,
        warned_at = null, since = clock_timestamp(), deadline = clock_timestamp() + make_interval(secs => ${seconds}),
        on_deadline = ${onDeadline}, deadline_seconds = ${seconds}, answerers = null,
        render = ${json(render)}::text::jsonb
      where session_key = ${lease.sessionKey} and tool_call_id = ${toolCallId} and result is null
        and claimed_epoch = ${lease.epoch}
      returning ${callColumns(tx.sql)}`
    if (row === undefined) return
    await showCall(tx, head, row)
    await watchDeadline(tx, head, row)
    await fireCall(tx, head, 'call.opened', row)
  })
}
