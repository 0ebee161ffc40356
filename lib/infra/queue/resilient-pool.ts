import { Pool, type PoolConfig } from 'pg'

/**
 * Creates a pool for graphile-worker that reports a lost connection as an error that graphile retries. When a
 * job ends, graphile does not await the write (0.18.0, `completeJob(job)` in its worker.js), and it retries
 * only a few error codes there. If the database restarted at that moment, an unhandled rejection would end the
 * process.
 */
export function resilientPool(config: PoolConfig): Pool {
  const pool = new Pool(config)
  pool.connect = withTemporaryErrors(pool.connect.bind(pool)) as typeof pool.connect
  pool.on('connect', client => {
    client.query = withTemporaryErrors(client.query.bind(client)) as typeof client.query
  })
  return pool
}

type AnyFunction = (...args: never[]) => unknown

/**
 * Wraps a function so that rejections of its promise are reported as temporary. Callback results are unchanged.
 */
const withTemporaryErrors =
  (work: AnyFunction): AnyFunction =>
  (...args) => {
    const result = work(...args)
    return result instanceof Promise ? result.catch(throwAsTemporary) : result
  }

/** "cannot connect now" (SQLSTATE 57P03), which graphile retries after at least 3 s. */
const temporaryCode = '57P03'

/**
 * Throws the error, with code 57P03 if the cause is temporary: no connection, or a database that cannot write
 * now. These are the SQLSTATE classes 08, 3D (restoring), 53 and 57P, a canceled statement (57014), a read-only
 * one (25006, a failover), system error codes, and errors without a code. Other errors end graphile's worker
 * and its pool.
 */
function throwAsTemporary(error: unknown): never {
  const { code } = error as { code?: string }
  const isTemporary = code === undefined || /^(08|3D|53|57P|57014|25006|E[A-Z_]+$)/.test(code)
  throw isTemporary && error instanceof Error ? Object.assign(error, { code: temporaryCode }) : error
}
