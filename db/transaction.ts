import type { Ctx } from '#lib/kernel/ctx.ts'
import { failpoint } from '#lib/kernel/failpoint.ts'
import { builderOn, type Pool, type Sql } from './client.ts'

/** deadlock_detected, serialization_failure, lock_not_available: another transaction won the lock. */
const retryable = new Set(['40P01', '40001', '55P03'])

type Options = {
  /** The text after `begin`, for example `read only`. */
  mode?: string
  /** How often a lost race for a lock is retried. */
  retries?: number
}

/**
 * Runs `work` in a transaction, which travels in the context that `work` receives. Inside a transaction, `work` joins that
 * one. Functions passed to `beforeCommit` send their writes together with the commit, or earlier at `flush`. Functions
 * passed to `afterCommit` run after the commit. A lost race for a lock is retried, so `work` must do
 * nothing outside the database. A result of `unchanged` ends the transaction without a commit.
 *
 * Without a `Ctx`, pass `{ sql }`.
 */
export async function inTransaction<T, C extends { readonly sql: Sql } = Ctx>(
  ctx: C,
  work: (tx: C) => Promise<T | Unchanged<T>>,
  { mode = '', retries = 3 }: Options = {}
): Promise<T> {
  const { sql } = ctx
  if (!isPool(sql)) {
    const outcome = await work(ctx)
    return outcome instanceof Unchanged ? outcome.value : outcome
  }
  return retryLostRaces(async () => {
    const effects: Array<() => void> = []
    let pending: Array<() => Promise<unknown>> = []
    const flush = async () => {
      const writes = pending
      pending = []
      await pipelined(writes.map(write => write()))
    }
    // A commit of a transaction whose last write failed is a rollback.
    let lastWrites: Promise<void> | undefined
    let isCommitting = false
    const run = async (sql: Sql) => {
      const outcome = await work({
        ...ctx,
        sql,
        // A getter, because a query builder takes a tenth of a millisecond to create, and most work uses plain SQL.
        get db() {
          return builderOn(sql)
        },
        afterCommit: (effect: () => void) => effects.push(effect),
        beforeCommit(write: (() => Promise<unknown>) | Promise<unknown>) {
          if (isCommitting) throw new Error('The commit is on its way, so this write would be lost.')
          // If it fails, it is thrown when it is awaited, or the next statement throws.
          if (typeof write !== 'function') write.catch(() => undefined)
          pending.push(typeof write === 'function' ? write : () => write)
        },
        flush
      })
      // The driver rolls back when an error is thrown.
      if (outcome instanceof Unchanged) throw outcome
      await failpoint('before_commit')
      isCommitting = true
      lastWrites = flush()
      lastWrites.catch(() => undefined)
      return outcome
    }
    const result = await (sql.begin(mode, run) as Promise<T>).catch((error: unknown) => {
      if (error instanceof Unchanged) return error as Unchanged<T>
      throw error
    })
    if (result instanceof Unchanged) return result.value
    await lastWrites
    await failpoint('after_commit_before_reply')
    for (const effect of effects) effect()
    return result
  }, retries)
}

/** The result of work that wrote nothing. */
class Unchanged<T> {
  readonly value: T

  constructor(value: T) {
    this.value = value
  }
}

/**
 * Ends the transaction of `inTransaction` with this result and without a commit. A commit waits for the disk, even if the
 * transaction only took a lock.
 */
export const unchanged = <T>(value: T): Unchanged<T> => new Unchanged(value)

/** Runs a transaction or a single statement, and retries it when it loses a race for a lock. */
export async function retryLostRaces<T>(work: () => Promise<T>, retries = 3): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= retries || !retryable.has((error as { code?: string }).code ?? '')) throw error
    }
  }
}

const isPool = (sql: Sql): sql is Pool => 'begin' in sql

/**
 * Sends statements of one transaction in one round trip. Like `Promise.all`, but when one fails, waits for the others before
 * it throws: a statement sent after the rollback would run outside the transaction, and its change would stay.
 */
export async function pipelined<T extends readonly unknown[]>(
  work: readonly [...T]
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(work)
  const failed = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
  // 25P02, "the transaction is aborted", only says that another statement failed.
  if (failed.length > 0)
    throw failed.find(error => (error as { code?: string }).code !== '25P02') ?? failed[0]
  return results.map(result => (result as PromiseFulfilledResult<unknown>).value) as never
}
