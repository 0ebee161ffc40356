import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { openBareJobs } from './bare-jobs.ts'
import { measureCallbacks } from './callbacks.ts'
import { machine } from './machine.ts'
import { type Measured, rowsOf } from './report.ts'
import { openStage } from './stage.ts'
import { measureSteps } from './steps.ts'
import { measureServer } from './streaming.ts'
import { tableOf } from './table.ts'
import { measureWakes } from './wake.ts'
import { measureWork } from './work.ts'

/**
 * `npm run bench`: one table of figures and ratios, all of one run, on one Postgres that keeps its promises about crashes
 * (the embedded one, durable, in a directory that is thrown away). About two minutes. `--json` prints it for machines.
 */
async function measure(dir: string): Promise<Measured> {
  const about = machine()
  await using up = new AsyncDisposableStack()
  const databases = await Promise.all(
    ['engine', 'bare', 'server'].map(async database => {
      const postgres = await startEmbeddedPostgres({ dir, database, durable: true })
      up.defer(() => postgres.stop())
      return postgres.url
    })
  )
  const [engine = '', bare = '', server = ''] = databases
  const postmaster = Number(readFileSync(join(dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])

  const inProcess = async () => {
    await using stage = await openStage(engine)
    await using jobs = await openBareJobs(bare)
    say('Waking')
    const wakes = await measureWakes(stage, jobs, 30)
    say('Work of a turn')
    const work = await measureWork(stage, postmaster, 50)
    say('Long sessions')
    const steps = await measureSteps(stage, 25)
    return { wakes, work, steps }
  }
  const measured = await inProcess()
  say('Streaming')
  const served = await measureServer(server, postmaster, 8)
  say('Callbacks')
  const callbacks = await measureCallbacks(server, 5)
  return { machine: about, ...measured, served, callbacks }
}

const say = (what: string) => process.stderr.write(`${what}…\n`)

const dir = await mkdtemp(join(tmpdir(), 'waystation-bench-'))
try {
  const measured = await measure(dir)
  const rows = rowsOf(measured)
  console.log(
    process.argv.includes('--json')
      ? JSON.stringify({ machine: measured.machine, rows }, null, 2)
      : tableOf(measured.machine, rows)
  )
} finally {
  await rm(dir, { recursive: true, force: true })
}
