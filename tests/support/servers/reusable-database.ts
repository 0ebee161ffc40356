import { setTimeout as pause } from 'node:timers/promises'
import type { Pool as JobPool } from 'pg'
import postgres from 'postgres'
import { connect, type Pool } from '#db/client.ts'
import type { SharedResources } from '#lib/compose/compose.ts'
import { resilientPool } from '#lib/infra/queue/resilient-pool.ts'
import { createDatabase, type TestDatabase } from '#tests/support/servers/database.ts'

/**
 * A database, with its connections, that the servers of a worker process use one after another. A new database and
 * its connections take ten times as long as a turn: Postgres copies hundreds of files, and each connection plans
 * each statement once.
 */
export type ReusableDatabase = {
  url: string
  /** Open pools that can be ended like any other, but keep their connections for the next server. */
  pools: Required<Pick<SharedResources, 'connect' | 'jobPool'>>
  /**
   * Empties the database for the next server, or drops it if it cannot be used again. All its pools must have ended.
   */
  release(): Promise<void>
  /** Marks this database as not reusable, because other processes know it or a test breaks its connections. */
  discard(): void
}

type Entry = {
  database: TestDatabase
  pools: Map<string, Pool>
  jobPools: Map<number | undefined, JobPool>
  cleaner: postgres.Sql
  shape: string
  uses: number
}

/** One per worker process. The test files of a worker share it. */
const key = Symbol.for('waystation.tests.kept-databases')
const shared = globalThis as { [key]?: Entry[] }
shared[key] ??= []
const idle = shared[key]

/** The maximum number of uses. Deleted rows remain in the files of a table, and each use adds some. */
const maxUses = 50

/** Takes a migrated database without rows. No other test uses it until it is returned. */
export async function acquireDatabase(): Promise<ReusableDatabase> {
  const entry = idle.pop() ?? (await openDatabase())
  entry.uses++
  let discarded = entry.uses >= maxUses
  return {
    url: entry.database.url,
    pools: {
      connect(url, { max = 12, name = 'waystation' } = {}) {
        const poolKey = `${name} ${max}`
        const pool = entry.pools.get(poolKey) ?? connect(url, { max, name })
        entry.pools.set(poolKey, pool)
        return lend(pool)
      },
      jobPool(config) {
        const pool = entry.jobPools.get(config.max) ?? resilientPool(config)
        // Between two servers, no other listener exists, and Postgres stops before the process with the pool does.
        if (!entry.jobPools.has(config.max)) pool.on('error', () => undefined)
        entry.jobPools.set(config.max, pool)
        return lendJobPool(pool)
      }
    },
    discard() {
      discarded = true
    },
    async release() {
      if (!discarded && (await isQuiet(entry)) && (await shapeOf(entry.cleaner)) === entry.shape) {
        await empty(entry.cleaner)
        idle.push(entry)
        return
      }
      await Promise.all([...entry.pools.values(), entry.cleaner].map(pool => pool.end({ timeout: 2 })))
      await Promise.all([...entry.jobPools.values()].map(pool => pool.end()))
      await entry.database.drop()
    }
  }
}

async function openDatabase(): Promise<Entry> {
  const database = await createDatabase()
  // Foreign keys are not enforced, because rows are deleted in any order.
  const connection = { session_replication_role: 'replica' }
  const cleaner = postgres(database.url, { max: 1, connection, onnotice: () => undefined })
  return { database, pools: new Map(), jobPools: new Map(), cleaner, shape: await shapeOf(cleaner), uses: 0 }
}

/** Returns the pool for one user. After this user ends it, it rejects queries like an ended pool. */
function lend(pool: Pool): Pool {
  const endedPool = postgres({ max: 1 }) as unknown as Pool
  const ended = endedPool.end()
  let lent = pool
  const end = () => {
    lent = endedPool
    return ended
  }
  return new Proxy(pool, {
    apply: (_, self, args) => Reflect.apply(lent, self, args),
    get: (_, name) => (name === 'end' ? end : lent[name as keyof Pool])
  })
}

/**
 * Returns graphile-worker's pool for one user. graphile-worker has released its connections when it ends the pool.
 */
function lendJobPool(pool: JobPool): JobPool {
  const listeners: ['error', (error: Error) => void][] = []
  const overrides = {
    on(name: 'error', listener: (error: Error) => void) {
      listeners.push([name, listener])
      return pool.on(name, listener)
    },
    async end() {
      for (const [name, listener] of listeners) pool.off(name, listener)
    }
  }
  return new Proxy(pool, {
    get(_, name) {
      if (name in overrides) return overrides[name as keyof typeof overrides]
      const value = pool[name as keyof JobPool]
      return typeof value === 'function' ? value.bind(pool) : value
    }
  })
}

/** Waits up to 2 s until no connection is active. Queries that were sent before their pool ended can still run. */
async function isQuiet({ cleaner }: Entry): Promise<boolean> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const [row] = await cleaner<{ busy: boolean }[]>`
      select exists (
        select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
        union all select from pg_locks l where l.locktype = 'advisory'
          and l.database = (select oid from pg_database where datname = current_database())
      ) as busy`
    if (row?.busy === false) return true
    await pause(10)
  }
  return false
}

/**
 * Returns a text that identifies the tables, columns, constraints, triggers and functions other than Postgres' own,
 * because a test can change them.
 */
async function shapeOf(sql: postgres.Sql): Promise<string> {
  const [row] = await sql<{ shape: string }[]>`
    select concat_ws(' ',
      (select md5(string_agg(oid || relname || relnatts || relchecks, ' ' order by oid)) from pg_class where oid >= 16384),
      (select count(*) from pg_constraint), (select count(*) from pg_trigger), (select count(*) from pg_proc)) as shape`
  return row?.shape ?? ''
}

/** Deletes all rows and resets the sequences. It uses one statement, which each connection plans once. */
async function empty(sql: postgres.Sql): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname = 'public' or (schemaname = 'graphile_worker' and tablename in ('_private_jobs', '_private_job_queues'))`
  const deletions = tables.map(({ name }, n) => `d${n} as (delete from ${name})`)
  await sql.unsafe(`with ${deletions.join(', ')} select 1`, [], { prepare: true })
  await sql`
    select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) from pg_sequences
    where schemaname in ('public', 'graphile_worker') and last_value is not null`
}
