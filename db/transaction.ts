import type { Ctx } from '#lib/kernel/ctx.ts'
import { failpoint } from '#lib/kernel/failpoint.ts'
import { builderOn, type Pool, type Sql } from './client.ts'

/** deadlock_detected, serialization_failure, lock_not_available: try again, somebody else was first. */
const retryable = new Set(['40P01', '40001', '55P03'])

/**
 * Runs `work` in one transaction; the transaction travels in the context it is handed. What `work` registered with
 * `afterCommit` runs after the commit. Inside a transaction it joins that one. Lost lock races are retried three
 * times, so `work` must do nothing outside the database. What `unchanged` wraps is returned without a commit.
 */
export async function inTransaction<T>(ctx: Ctx, work: (tx: Ctx) => Promise<T | Unchanged<T>>): Promise<T> {
  if (!isPool(ctx.sql)) {
    const worked = await work(ctx)
    return worked instanceof Unchanged ? worked.value : worked
  }
  const pool = ctx.sql
  return tryAgain(async () => {
    const after: Array<() => void> = []
    const result = await begin(pool, async sql => {
      const worked = await work({
        ...ctx,
        sql,
        // Made when it is asked for: it costs a tenth of a millisecond, and the engine speaks plain SQL.
        get db() {
          return builderOn(sql)
        },
        afterCommit: effect => after.push(effect)
      })
      // The driver rolls back what throws.
      if (worked instanceof Unchanged) throw worked
      await failpoint('before_commit')
      return worked
    }).catch((error: unknown) => {
      if (error instanceof Unchanged) return error as Unchanged<T>
      throw error
    })
    if (result instanceof Unchanged) return result.value
    await failpoint('after_commit_before_reply')
    for (const effect of after) effect()
    return result
  })
}

/** The result of work that wrote nothing. */
class Unchanged<T> {
  readonly value: T

  constructor(value: T) {
    this.value = value
  }
}

/** Ends the transaction of `inTransaction` with this result and without a commit, which would wait for the disk, even of a mere lock. */
export const unchanged = <T>(value: T): Unchanged<T> => new Unchanged(value)

/** Runs what is one transaction, and up to three times more when it lost a race for a lock. */
export async function tryAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt > 3 || !retryable.has((error as { code?: string }).code ?? '')) throw error
    }
  }
}

/** The driver's own `begin`, which says more of its types than it needs to. What `work` throws rolls it back. */
export const begin = <T>(pool: Pool, work: (sql: Sql) => Promise<T>, options = ''): Promise<T> =>
  pool.begin(options, work) as Promise<T>

const isPool = (sql: Sql): sql is Pool => 'begin' in sql

/**
 * `Promise.all` for statements of one transaction: when one of them fails, it waits for the others before it throws.
 * Whoever still had something to send would send it behind the rollback, where it is kept.
 */
export async function together<T extends readonly unknown[]>(
  work: readonly [...T]
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(work)
  const failed = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
  // 25P02, "the transaction is aborted", only says that another one failed.
  if (failed.length > 0)
    throw failed.find(error => (error as { code?: string }).code !== '25P02') ?? failed[0]
  return results.map(result => (result as PromiseFulfilledResult<unknown>).value) as never
}
