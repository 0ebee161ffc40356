import { Pool, type PoolConfig } from 'pg'

/**
 * A pool for graphile-worker whose lost connections are what graphile tries again. It does not wait for a job's end to be
 * written (0.18.0, `completeJob(job)` in its worker.js), and of what may go wrong there it tries again only a few codes:
 * a database that restarts just then would be a rejection that nobody handles, and take the process along.
 */
export function lastingPool(config: PoolConfig): Pool {
  const pool = new Pool(config)
  pool.connect = lasting(pool.connect.bind(pool)) as typeof pool.connect
  pool.on('connect', client => {
    client.query = lasting(client.query.bind(client)) as typeof client.query
  })
  return pool
}

type Asks = (...asked: never[]) => unknown

/** The same, with the failures of its promises told as passing. What calls back instead calls back as before. */
const lasting =
  (work: Asks): Asks =>
  (...asked) => {
    const answer = work(...asked)
    return answer instanceof Promise ? answer.catch(tellAsPassing) : answer
  }

/** "cannot connect now" (SQLSTATE 57P03): what graphile takes for a reason to try again, after 3 s and more. */
const passing = '57P03'

/**
 * A connection that is lost or not to be had, or a database that does not write just now: classes 08, 3D (it is being
 * restored), 53 and 57P of SQLSTATE, a cancelled statement (57014) and a read-only one (25006, a failover), the system's codes, and no code at all. Whatever else fails ends graphile's worker, and with it the pool.
 */
function tellAsPassing(error: unknown): never {
  const { code } = error as { code?: string }
  const isLost = code === undefined || /^(08|3D|53|57P|57014|25006|E[A-Z_]+$)/.test(code)
  throw isLost && error instanceof Error ? Object.assign(error, { code: passing }) : error
}
