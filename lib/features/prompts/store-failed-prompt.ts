import { inTransaction } from '#db/transaction.ts'
import { type Lease, lockForLease } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type PromptRow, storePromptSql } from './store-prompt.ts'

/**
 * Stores the prompt of a failed step, so that people can see what the model received (001-10). Each attempt has its own.
 * Throws `LeaseLost`.
 */
export async function storeFailedPrompt(
  ctx: Ctx,
  lease: Lease,
  step: { messageId: string; estimated: number; error: { code: string; message: string } },
  row: PromptRow
): Promise<void> {
  await inTransaction(ctx, async tx => {
    const session = await lockForLease(tx, lease)
    if (session.turnId === null) return
    // The ID places the prompt after those of earlier steps.
    const [next] = await tx.sql<{ id: number }[]>`
      select nextval(pg_get_serial_sequence('context', 'id'))::int8 as id`
    const { error, ...at } = step
    const { code, message } = error
    const stored = { ...at, id: Number(next?.id), tokens: 0, error: { code, message } }
    await tx.sql`with failed as (select 1) ${storePromptSql(tx, session, stored, row)} select from failed`
  })
}
