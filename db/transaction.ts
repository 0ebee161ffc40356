import type { Ctx } from '#lib/kernel/ctx.ts'
import { failpoint } from '#lib/kernel/failpoint.ts'
import { builderOn, type Pool, type Sql } from './client.ts'

/**
 * deadlock_detected, serialization_failure, lock_not_available: another transaction won the race, so a retry can
 * succeed.
 */
const retryable = new Set(['40P01', '40001', '55P03'])

/**
 * Runs `work` in one transaction and passes it a context with this transaction. Inside a transaction, joins that
 * one. The effects that `work` registers with `afterCommit` run after the commit. A lost lock race is retried up to
 * three times, so `work` must have no effects outside the database. If `work` returns a result of `unchanged`,
 * there is no commit.
 */
export async function inTransaction<T>(ctx: Ctx, work: (tx: Ctx) => Promise<T | Unchanged<T>>): Promise<T> {
  if (!isPool(ctx.sql)) {
    const outcome = await work(ctx)
    return outcome instanceof Unchanged ? outcome.value : outcome
  }
  const pool = ctx.sql
  return tryAgain(async () => {
    const effects: Array<() => void> = []
    const result = await begin(pool, async sql => {
      const outcome = await work({
        ...ctx,
        sql,
        // Created on demand: it takes a tenth of a millisecond, and the engine uses plain SQL.
        get db() {
          return builderOn(sql)
        },
        afterCommit: effect => effects.push(effect)
      })
      // The driver rolls back when this throws.
      if (outcome instanceof Unchanged) throw outcome
      await failpoint('before_commit')
      return outcome
    }).catch((error: unknown) => {
      if (error instanceof Unchanged) return error as Unchanged<T>
      throw error
    })
    if (result instanceof Unchanged) return result.value
    await failpoint('after_commit_before_reply')
    for (const effect of effects) effect()
    return result
  })
}

/** The result of `work` that wrote nothing. */
class Unchanged<T> {
  readonly value: T

  constructor(value: T) {
    this.value = value
  }
}

/**
 * Ends the transaction of `inTransaction` with this result and without a commit. A commit would wait for the disk,
 * even if the transaction only took a lock.
 */
export const unchanged = <T>(value: T): Unchanged<T> => new Unchanged(value)

/** Runs `work`, which is one transaction, and retries it up to three times if it loses a race for a lock. */
export async function tryAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt > 3 || !retryable.has((error as { code?: string }).code ?? '')) throw error
    }
  }
}

/** The driver's own `begin`, with simpler types. If `work` throws, the transaction is rolled back. */
export const begin = <T>(pool: Pool, work: (sql: Sql) => Promise<T>, options = ''): Promise<T> =>
  pool.begin(options, work) as Promise<T>

const isPool = (sql: Sql): sql is Pool => 'begin' in sql

/**
 * `Promise.all` for statements of one transaction: if one fails, this waits for the others before it throws.
 * Otherwise a caller could send further statements after the rollback, outside of the transaction, where they would
 * take effect.
 */
export async function together<T extends readonly unknown[]>(
  statements: readonly [...T]
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(statements)
  const errors = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
  // 25P02, "the transaction is aborted", only reports that another statement failed.
  if (errors.length > 0)
    throw errors.find(error => (error as { code?: string }).code !== '25P02') ?? errors[0]
  return results.map(result => (result as PromiseFulfilledResult<unknown>).value) as never
}
