import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startClockServer } from '#bench/clock-server.ts'
import { runner, type Throughput } from '#bench/throughput.ts'
import { connect, type Pool } from '#db/client.ts'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { type Cost, type CpuProfile, costsOf } from './costs.ts'

/** Milliseconds that a statement took in Postgres per turn, plans and waiting for the disk included. */
export type Statement = { text: string; callsPerTurn: number; msPerTurn: number }

export type Profile = {
  throughput: Throughput
  turns: number
  node: { areas: Cost[]; functions: Cost[] }
  postgres: Statement[]
}

/** Each of 200 sessions gets this many messages in turn. */
const messages = 5

/**
 * Profiles the real server and its Postgres under the load of `measureThroughput`, after two rounds to warm up. The
 * profiler itself costs a few percent of Node's CPU.
 */
export async function measureProfile(dir: string): Promise<Profile> {
  await using postgres = await startWithStatements(dir)
  const file = join(dir, 'server.cpuprofile')
  await using clock = await startClockServer(
    postgres.url,
    { perSecond: 1000, seconds: 0.002 },
    {
      NODE_OPTIONS: `--import=${new URL('preload.mjs', import.meta.url).href}`,
      WAYSTATION_PROFILE: file
    }
  )
  const { sql } = postgres
  const run = runner(clock, sql, postgres.postmaster)
  for (let round = 0; round < 2; round++) await run(1)
  await sql`select pg_stat_statements_reset()`
  clock.server.process.kill('SIGUSR2')
  const throughput = await run(messages)
  clock.server.process.kill('SIGUSR2')
  while (!existsSync(file)) await pause(50)
  const turns = 200 * messages
  return {
    throughput,
    turns,
    node: costsOf(JSON.parse(readFileSync(file, 'utf8')) as CpuProfile, process.cwd()),
    postgres: await statements(sql, turns)
  }
}

/** Starts a durable Postgres that counts statements. A server only counts them if it loads the library at its start. */
async function startWithStatements(
  dir: string
): Promise<AsyncDisposable & { url: string; sql: Pool; postmaster: number }> {
  const options = { dir, database: 'profile', durable: true }
  const first = await startEmbeddedPostgres(options)
  const setup = connect(first.url, { max: 1 })
  await setup`alter system set shared_preload_libraries = 'pg_stat_statements'`
  await setup`alter system set pg_stat_statements.track_planning = on`
  await setup.end()
  await first.stop()
  const postgres = await startEmbeddedPostgres(options)
  const sql = connect(postgres.url, { max: 1 })
  await sql`create extension pg_stat_statements`
  return {
    url: postgres.url,
    sql,
    postmaster: Number(readFileSync(join(dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]),
    async [Symbol.asyncDispose]() {
      await sql.end()
      await postgres.stop()
    }
  }
}

const statements = (sql: Pool, turns: number): Promise<Statement[]> => sql<Statement[]>`
  select regexp_replace(query, '\\s+', ' ', 'g') as text, calls::float8 / ${turns}::float8 as calls_per_turn,
    (total_exec_time + total_plan_time) / ${turns}::float8 as ms_per_turn
  from pg_stat_statements where query not like '%pg_stat_statements%'
  order by ms_per_turn desc`
