import { setTimeout as pause } from 'node:timers/promises'
import type { Pool as JobPool } from 'pg'
import postgres from 'postgres'
import { connect, type Pool } from '#db/client.ts'
import type { Shared } from '#lib/compose/compose.ts'
import { lastingPool } from '#lib/infra/queue/lasting-pool.ts'
import { createDatabase, type TestDatabase } from '#tests/support/worlds/database.ts'

/**
 * A database that the worlds of a worker process use one after another, with its connections. A new database and its
 * connections cost ten times what a turn costs: Postgres copies hundreds of files, and each connection plans each statement
 * once.
 */
export type KeptDatabase = {
  url: string
  /** They open pools that can be ended like any other, but leave their connections for the next world. */
  pools: Required<Pick<Shared, 'connect' | 'jobPool'>>
  /** Empties the database for the next world, or drops it if it cannot be used again. All of its pools must have ended. */
  giveBack(): Promise<void>
  /** Says that this database must not be used again: other processes know it, or its connections are to be lost. */
  spoil(): void
}

type Kept = {
  database: TestDatabase
  pools: Map<string, Pool>
  jobPools: Map<number | undefined, JobPool>
  cleaner: postgres.Sql
  shape: string
  uses: number
}

/** One per worker process. Files of a worker share it. */
const key = Symbol.for('waystation.tests.kept-databases')
const shared = globalThis as { [key]?: Kept[] }
shared[key] ??= []
const idle = shared[key]

/** Rows that were deleted stay in the files of a table, and each use adds some. */
const mostUses = 50

/** A migrated database without rows, which nobody else uses until it is given back. */
export async function takeDatabase(): Promise<KeptDatabase> {
  const kept = idle.pop() ?? (await openDatabase())
  kept.uses++
  let spoiled = kept.uses >= mostUses
  return {
    url: kept.database.url,
    pools: {
      connect(url, { max = 12, name = 'waystation' } = {}) {
        const place = `${name} ${max}`
        const pool = kept.pools.get(place) ?? connect(url, { max, name })
        kept.pools.set(place, pool)
        return lend(pool)
      },
      jobPool(config) {
        const pool = kept.jobPools.get(config.max) ?? lastingPool(config)
        // Between two worlds nobody else listens, and Postgres stops before the process that keeps the pool.
        if (!kept.jobPools.has(config.max)) pool.on('error', () => undefined)
        kept.jobPools.set(config.max, pool)
        return lendJobPool(pool)
      }
    },
    spoil() {
      spoiled = true
    },
    async giveBack() {
      if (!spoiled && (await isQuiet(kept)) && (await shapeOf(kept.cleaner)) === kept.shape) {
        await empty(kept.cleaner)
        idle.push(kept)
        return
      }
      await Promise.all([...kept.pools.values(), kept.cleaner].map(pool => pool.end({ timeout: 2 })))
      await Promise.all([...kept.jobPools.values()].map(pool => pool.end()))
      await kept.database.drop()
    }
  }
}

async function openDatabase(): Promise<Kept> {
  const database = await createDatabase()
  // Rows are deleted in any order.
  const connection = { session_replication_role: 'replica' }
  const cleaner = postgres(database.url, { max: 1, connection, onnotice: () => undefined })
  return { database, pools: new Map(), jobPools: new Map(), cleaner, shape: await shapeOf(cleaner), uses: 0 }
}

/** The pool as one of its users has it: when they have ended it, it refuses what they ask, as an ended pool does. */
function lend(pool: Pool): Pool {
  const over = postgres({ max: 1 }) as unknown as Pool
  const ended = over.end()
  let lent = pool
  const end = () => {
    lent = over
    return ended
  }
  return new Proxy(pool, {
    apply: (_, self, args) => Reflect.apply(lent, self, args),
    get: (_, name) => (name === 'end' ? end : lent[name as keyof Pool])
  })
}

/** The same of the pool of graphile-worker, which has given back its connections when it ends the pool. */
function lendJobPool(pool: JobPool): JobPool {
  const listeners: ['error', (error: Error) => void][] = []
  const mine = {
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
      if (name in mine) return mine[name as keyof typeof mine]
      const value = pool[name as keyof JobPool]
      return typeof value === 'function' ? value.bind(pool) : value
    }
  })
}

/** Whether nobody works on the database any more. What was sent before its pool ended is waited for. */
async function isQuiet({ cleaner }: Kept): Promise<boolean> {
  for (let look = 0; look < 200; look++) {
    const [found] = await cleaner<{ busy: boolean }[]>`
      select exists (
        select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
        union all select from pg_locks l where l.locktype = 'advisory'
          and l.database = (select oid from pg_database where datname = current_database())
      ) as busy`
    if (found?.busy === false) return true
    await pause(10)
  }
  return false
}

/** Tables, columns, constraints, triggers and functions that are not Postgres's own, as one text. A test may change them. */
async function shapeOf(sql: postgres.Sql): Promise<string> {
  const [found] = await sql<{ shape: string }[]>`
    select concat_ws(' ',
      (select md5(string_agg(oid || relname || relnatts || relchecks, ' ' order by oid)) from pg_class where oid >= 16384),
      (select count(*) from pg_constraint), (select count(*) from pg_trigger), (select count(*) from pg_proc)) as shape`
  return found?.shape ?? ''
}

/** Deletes all rows, in one statement that each connection plans once, and starts the sequences again. */
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
