import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '#db/client.ts'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { openBareJobs } from './bare-jobs.ts'
import { measureCallbacks } from './callbacks.ts'
import { changedTaskTable, compareChangedTask } from './changed-task.ts'
import { type Conditions, isDisturbed, speed, underConditions } from './conditions.ts'
import { measureConnects } from './connects.ts'
import { type GoalRound, goalsReport } from './goals.ts'
import { measureHooks } from './hooks.ts'
import { type Large, measureLarge } from './large/measure-large.ts'
import { largeRows } from './large/report.ts'
import { currentCommit, lastRun, type Run, storeRun } from './last-run.ts'
import { type Machine, machine } from './machine.ts'
import { measureMemory } from './memory.ts'
import { measureOutOfBand } from './out-of-band.ts'
import { measureParallel } from './parallel-tools.ts'
import { comparePeers } from './peers/compare.ts'
import { eveFiles, evePostgres } from './peers/eve.ts'
import { langgraph } from './peers/langgraph.ts'
import { mastraDurable, mastraFiles, mastraPostgres } from './peers/mastra.ts'
import { peersReport } from './peers/report.ts'
import { waystation } from './peers/waystation.ts'
import { measurePlugins } from './plugins.ts'
import { measureProfile } from './profile/profile.ts'
import { profileReport } from './profile/report.ts'
import { type Measured, type Row, rowsOf } from './report.ts'
import { openStage } from './stage.ts'
import { measureSteps } from './steps.ts'
import { measureStreamedPage } from './streamed-page.ts'
import { measureServer } from './streaming.ts'
import { tableOf } from './table.ts'
import { measureThroughput } from './throughput.ts'
import { measureTranscript } from './transcript.ts'
import { measureWakes } from './wake.ts'
import { measureWork } from './work.ts'

const { values } = parseArgs({
  options: {
    large: { type: 'boolean' },
    profile: { type: 'boolean' },
    peers: { type: 'boolean' },
    goals: { type: 'boolean' },
    'changed-task': { type: 'boolean' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'boolean' }
  }
})

/**
 * `npm run bench` measures in one run and prints one table of figures and ratios. It uses one durable Postgres, the
 * embedded one, in a temporary directory. It takes at most ten minutes. The table marks figures that were measured while
 * the machine was busy, and compares them with the last run on this machine (`.data/bench/last.json`).
 *
 * - `--large` runs the measurements with large numbers instead, about forty minutes.
 * - `--peers` installs other agent servers, and runs the same work on them and on this one, in
 *   `--rounds` rounds (default: 3), about half an hour.
 * - `--goals` measures the goals of `docs/bench.md` in `--rounds` rounds, and prints their medians, about ten minutes.
 * - `--profile` prints the largest costs of a turn under load instead, about a minute.
 * - `--changed-task` compares a task that changes during its work, with and without out-of-band messages.
 * - `--json` prints JSON instead of the table.
 */
async function measure(dir: string): Promise<{ measured: Measured; conditions: MeasuredConditions }> {
  await using postgres = await openPostgres(dir, ['engine', 'bare', 'server', 'idle', 'pages'])
  const [engine = '', bare = '', server = '', idle = '', pages = ''] = postgres.urls
  const postmaster = postmasterIn(dir)
  const conditions: Partial<MeasuredConditions> = {}
  const section = async <K extends keyof Measured>(
    name: K,
    progress: string,
    work: () => Promise<Measured[K]>
  ) => {
    process.stderr.write(`${progress}…`)
    const startedAt = performance.now()
    const observed = await underConditions([process.pid, postmaster], work)
    process.stderr.write(` ${Math.round((performance.now() - startedAt) / 1000)} s\n`)
    conditions[name] = observed.conditions
    return observed.result
  }

  const inProcess = async () => {
    await using stage = await openStage(engine)
    await using jobs = await openBareJobs(bare)
    return {
      wakes: await section('wakes', 'Waking', () => measureWakes(stage, jobs, 25)),
      work: await section('work', 'Work of a turn', () => measureWork(stage, postmaster, 50)),
      steps: await section('steps', 'Long sessions', () => measureSteps(stage, 20)),
      hooks: await section('hooks', 'Hooks', () => measureHooks(stage, 100)),
      parallel: await section('parallel', 'Parallel tools', () => measureParallel(stage, 10))
    }
  }
  const measured: Measured = {
    ...(await inProcess()),
    served: await section('served', 'Streaming', () => measureServer(server, postmaster, 12)),
    throughput: await section('throughput', 'Throughput', () => measureThroughput(server, postmaster)),
    memory: await section('memory', 'Memory', () => measureMemory(idle, 1_200)),
    callbacks: await section('callbacks', 'Callbacks', () => measureCallbacks(server, 5)),
    outOfBand: await section('outOfBand', 'Out of band', () => measureOutOfBand(server, 20)),
    connects: await section('connects', 'Connections', () => measureConnects(server, 20)),
    plugins: await section('plugins', 'Plugins', () => measurePlugins(server, { calls: 500, rounds: 5 })),
    scrolled: await section('scrolled', 'A long session in the browser', () => measureTranscript(pages)),
    streamed: await section('streamed', 'Words in the browser', () => measureStreamedPage(pages))
  }
  return { measured, conditions: conditions as MeasuredConditions }
}

type MeasuredConditions = Record<keyof Measured, Conditions>

/** Measures large numbers, for `--large`. */
async function measureMany(dir: string): Promise<Large> {
  await using postgres = await openPostgres(dir, ['counts', 'none', 'many', 'long', 'several'])
  const [counts = '', none = '', many = '', long = '', several = ''] = postgres.urls
  const urls: Parameters<typeof measureLarge>[0] = [counts, none, many, long, several]
  return await measureLarge(urls, postmasterIn(dir), printProgress)
}

/** Measures the goals in several rounds, for `--goals`. Each round has databases and servers of its own. */
async function measureGoals(dir: string): Promise<string> {
  const [about, speedMs] = [machine(), speed()]
  const rounds: GoalRound[] = []
  for (let round = 0; round < Number(values.rounds); round++) {
    printProgress(`Round ${round + 1}`)
    const roundDir = join(dir, `${round}`)
    await using postgres = await openPostgres(roundDir, ['engine', 'server', 'idle'])
    const [engine = '', server = '', idle = ''] = postgres.urls
    const postmaster = postmasterIn(roundDir)
    const measureTurns = async () => {
      await using stage = await openStage(engine)
      return await measureWork(stage, postmaster, 50)
    }
    rounds.push({
      work: await measureTurns(),
      served: await measureServer(server, postmaster, 20),
      throughput: await measureThroughput(server, postmaster),
      memory: await measureMemory(idle, 1_200)
    })
  }
  return goalsReport(about, speedMs, rounds)
}

/** Compares this server with others, for `--peers`. */
async function measurePeers(dir: string): Promise<string> {
  await using postgres = await openPostgres(dir, ['peers'])
  const sql = connect(postgres.urls[0] ?? '', { max: 1 })
  let databases = 0
  const newDatabase = async () => {
    const name = `peer_${databases++}`
    await sql`create database ${sql(name)}`
    return (postgres.urls[0] ?? '').replace(/peers$/, name)
  }
  try {
    const figures = await comparePeers(
      [waystation, eveFiles, evePostgres, langgraph, mastraFiles, mastraPostgres, mastraDurable],
      { dir, postmaster: postmasterIn(dir), newDatabase },
      { rounds: Number(values.rounds), progress: printProgress }
    )
    return peersReport(machine(), figures)
  } finally {
    await sql.end()
  }
}

/** Compares a task that changes while an agent works on it, for `--changed-task`. */
async function reportChangedTask(dir: string): Promise<string> {
  await using postgres = await openPostgres(dir, ['task'])
  return changedTaskTable(await compareChangedTask(postgres.urls[0] ?? ''))
}

const postmasterIn = (dir: string) =>
  Number(readFileSync(join(dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])

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

/** Prints the table or the JSON of a run, and stores the run for the next comparison. */
async function reportAll(dir: string): Promise<string> {
  const about = machine()
  const { measured, conditions } = await measure(dir)
  const speedMs = Math.min(...Object.values(conditions).map(({ speedMs }) => speedMs))
  const disturbed = new Set(
    (Object.keys(conditions) as (keyof Measured)[]).filter(name => isDisturbed(conditions[name], speedMs))
  )
  const run = runOf(about, speedMs, rowsOf(measured))
  const last = lastRun()
  storeRun(run)
  return values.json ? JSON.stringify({ ...run, conditions }, null, 2) : tableOf(run, last, disturbed)
}

async function reportLarge(dir: string): Promise<string> {
  const [about, speedMs] = [machine(), speed()]
  const run = runOf(about, speedMs, largeRows(await measureMany(dir)))
  return values.json ? JSON.stringify(run, null, 2) : tableOf(run, undefined, new Set())
}

const runOf = (about: Machine, speedMs: number, rows: Row[]): Run => ({
  at: new Date().toISOString(),
  commit: currentCommit(),
  machine: about,
  speedMs,
  rows
})

const dir = await mkdtemp(join(tmpdir(), 'waystation-bench-'))
try {
  if (values.profile) console.log(profileReport(await measureProfile(dir)))
  else if (values['changed-task']) console.log(await reportChangedTask(dir))
  else if (values.goals) console.log(await measureGoals(dir))
  else if (values.peers) console.log(await measurePeers(dir))
  else console.log(values.large ? await reportLarge(dir) : await reportAll(dir))
} finally {
  await rm(dir, { recursive: true, force: true })
}
