import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { openBareJobs } from './bare-jobs.ts'
import { measureCallbacks } from './callbacks.ts'
import { measureConnects } from './connects.ts'
import { measureHooks } from './hooks.ts'
import { type Large, measureLarge } from './large.ts'
import { largeRows } from './large-report.ts'
import { machine } from './machine.ts'
import { measureMemory } from './memory.ts'
import { measureOutOfBand } from './out-of-band.ts'
import { measureParallel } from './parallel-tools.ts'
import { measurePlugins } from './plugins.ts'
import { type Measured, rowsOf } from './report.ts'
import { openStage } from './stage.ts'
import { measureSteps } from './steps.ts'
import { measureServer } from './streaming.ts'
import { tableOf } from './table.ts'
import { measureThroughput } from './throughput.ts'
import { measureTranscript } from './transcript.ts'
import { measureWakes } from './wake.ts'
import { measureWork } from './work.ts'

/**
 * `npm run bench` measures in one run and prints one table of figures and ratios. It uses one durable Postgres, the
 * embedded one, in a temporary directory. It takes about nine minutes.
 *
 * - `--large` runs the measurements with large numbers instead, about eighteen minutes.
 * - `--json` prints JSON instead of the table.
 */
async function measure(dir: string): Promise<Measured> {
  await using postgres = await openPostgres(dir, ['engine', 'bare', 'server', 'idle', 'pages'])
  const [engine = '', bare = '', server = '', idle = '', pages = ''] = postgres.urls
  const postmaster = Number(readFileSync(join(dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])

  const inProcess = async () => {
    await using stage = await openStage(engine)
    await using jobs = await openBareJobs(bare)
    printProgress('Waking')
    const wakes = await measureWakes(stage, jobs, 30)
    printProgress('Work of a turn')
    const work = await measureWork(stage, postmaster, 50)
    printProgress('Long sessions')
    const steps = await measureSteps(stage, 25)
    printProgress('Hooks')
    const hooks = await measureHooks(stage, 100)
    printProgress('Parallel tools')
    const parallel = await measureParallel(stage, 20)
    return { wakes, work, steps, hooks, parallel }
  }
  const measured = await inProcess()
  printProgress('Streaming')
  const served = await measureServer(server, postmaster, 20)
  printProgress('Throughput')
  const throughput = await measureThroughput(server, postmaster)
  printProgress('Memory')
  const memory = await measureMemory(idle, 1_200)
  printProgress('Callbacks')
  const callbacks = await measureCallbacks(server, 5)
  printProgress('Out of band')
  const outOfBand = await measureOutOfBand(server, 20)
  printProgress('Connections')
  const connects = await measureConnects(server, 30)
  printProgress('Plugins')
  const plugins = await measurePlugins(server, { calls: 500, rounds: 5 })
  printProgress('A long session in the browser')
  const scrolled = await measureTranscript(pages)
  return { ...measured, served, throughput, memory, callbacks, outOfBand, connects, plugins, scrolled }
}

/** Measures counts and the cost of many parked sessions, for `--large`. */
async function measureMany(dir: string): Promise<Large> {
  await using postgres = await openPostgres(dir, ['counts', 'none', 'many'])
  const [counts = '', none = '', many = ''] = postgres.urls
  return await measureLarge([counts, none, many], printProgress)
}

/** Starts one Postgres with these databases. */
async function openPostgres(
  dir: string,
  databases: string[]
): Promise<AsyncDisposable & { urls: readonly string[] }> {
  const instances = await Promise.all(
    databases.map(database => startEmbeddedPostgres({ dir, database, durable: true }))
  )
  return {
    urls: instances.map(({ url }) => url),
    async [Symbol.asyncDispose]() {
      for (const postgres of instances) await postgres.stop()
    }
  }
}

const printProgress = (what: string) => process.stderr.write(`${what}…\n`)

const dir = await mkdtemp(join(tmpdir(), 'waystation-bench-'))
try {
  const about = machine()
  const rows = process.argv.includes('--large')
    ? largeRows(await measureMany(dir))
    : rowsOf(await measure(dir))
  console.log(
    process.argv.includes('--json') ? JSON.stringify({ machine: about, rows }, null, 2) : tableOf(about, rows)
  )
} finally {
  await rm(dir, { recursive: true, force: true })
}
