import { ToolError } from '@waystation/base/known-error.ts'
import { z } from 'zod'
import { inTransaction } from '#db/transaction.ts'
import { type OobRow, oobColumns, oobOf, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockForLease } from '#lib/engine/log/session-lock.ts'
import { observer } from '#lib/kernel/ports/observer.ts'
import type { Tool } from './tool.ts'

const Input = z.object({
  id: z.string().max(64).describe('The id attribute of the <out_of_band> element.'),
  effect: z.string().trim().min(1).max(500).describe('The effect on your work, in one sentence.')
})
type Input = z.infer<typeof Input>

/**
 * Lets an agent confirm an out-of-band message (004-3). Agents have this tool once they have received one. A second
 * confirmation replaces the first.
 */
export const acknowledge: Tool<Input, { acknowledged: string }> = {
  name: 'acknowledge_out_of_band',
  description: 'Confirm that you have seen an out-of-band message, and state its effect on your work.',
  input: Input,
  where: 'server',
  title: () => 'Acknowledge',
  repeatable: true,
  async execute({ id, effect }, { ctx, lease }) {
    await inTransaction(ctx, async tx => {
      const session = await lockForLease(tx, lease)
      const [before] = await oobOf(tx, session, [id])
      const [row] = await tx.sql<OobRow[]>`
        update out_of_band set status = 'acknowledged', acknowledged_at = clock_timestamp(), effect = ${effect}
        where session_key = ${session.sessionKey} and id = ${id} and status in ('injected', 'acknowledged')
        returning ${oobColumns(tx.sql)}`
      if (row === undefined) throw new ToolError(`No out-of-band message "${id}" was delivered to you.`)
      const message = wireOob(row)
      append(tx, session, [{ type: 'oob', message }])
      if (before?.status === 'injected') tx.afterCommit(() => observer().outOfBand('acknowledged', [message]))
    })
    return { acknowledged: id }
  }
}
