import { randomUUID } from 'node:crypto'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** A process that was not seen for this long is dead. Seconds. Live ones are seen every two seconds. */
export const deadAfterSeconds = 15

/** This process among those that run copies of local plugins. */
export type ProcessIndex = {
  id: string
  /**
   * Says that this process is alive, and returns the index of its copies: the lowest that was free at first. It changes
   * only if the process was taken for dead.
   */
  claim: () => Promise<number>
  release: () => Promise<void>
}

export function processIndex(ctx: Ctx): ProcessIndex {
  const id = randomUUID()
  const seen = async () => {
    const [row] = await ctx.sql<{ copyIndex: number }[]>`
      update plugin_processes set seen_at = clock_timestamp() where id = ${id} returning copy_index`
    return row?.copyIndex
  }
  return {
    id,
    claim: async () =>
      (await seen()) ??
      inTransaction(ctx, async ({ sql }) => {
        await sql`lock table plugin_processes in exclusive mode`
        await sql`
          delete from plugin_processes
          where seen_at < clock_timestamp() - make_interval(secs => ${deadAfterSeconds})`
        const [row] = await sql<{ copyIndex: number }[]>`
          insert into plugin_processes (id, copy_index, seen_at)
          select ${id}, min(number), clock_timestamp()
          from generate_series(0, (select count(*)::int from plugin_processes)) number
          where number not in (select copy_index from plugin_processes)
          returning copy_index`
        return row!.copyIndex
      }),
    release: async () => {
      await ctx.sql`delete from plugin_processes where id = ${id}`
    }
  }
}
