import type postgres from 'postgres'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type Sql, typed } from './client.ts'

/** deadlock_detected, serialization_failure, lock_not_available: try again, somebody else was first. */
const retryable = new Set(['40P01', '40001', '55P03'])

/**
 * Runs `work` in one transaction; the transaction travels in the context it is handed. What `work` registered with
 * `afterCommit` runs after the commit. Inside a transaction it joins that one. Lost lock races are retried three
 * times, so `work` must do nothing outside the database.
 */
export async function inTransaction<T>(ctx: Ctx, work: (tx: Ctx) => Promise<T>): Promise<T> {
  if (!isPool(ctx.sql)) return work(ctx)
  const pool = ctx.sql
  for (let attempt = 1; ; attempt++) {
    const after: Array<() => void> = []
    try {
      const result = await pool.begin(sql =>
        work({ ...ctx, sql, db: typed(sql, pool), afterCommit: effect => after.push(effect) })
      )
      for (const effect of after) effect()
      return result as T
    } catch (error) {
      if (attempt > 3 || !retryable.has((error as { code?: string }).code ?? '')) throw error
    }
  }
}

const isPool = (sql: Sql): sql is postgres.Sql => 'begin' in sql
