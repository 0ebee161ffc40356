import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { type ServerProcess, startServer } from '#tests/support/servers/start-server.ts'
import { startChild } from './child.ts'
import { listen, type ReceivedWord } from './listen.ts'
import { cpuOf, machine } from './machine.ts'
import { spreadOf } from './percentiles.ts'

/**
 * `node bench/scale.ts` starts two web servers and two workers (built pages, one Postgres with `fsync` on).
 * Messages go to sessions at one web server, and readers at the other receive the words. It runs with Postgres
 * alone and, if a `redis-server` is installed, with Redis. It prints the delay of the words and the CPU time per
 * word for each kind of process. Linux only.
 */
const { values } = parseArgs({
  options: { sessions: { type: 'string', default: '40' }, seconds: { type: 'string', default: '10' } }
})
const sessions = Number(values.sessions)
const seconds = Number(values.seconds)
const perSecond = 20

const { cpu, cores, load } = machine()
console.log(
  `${cores} cores (${cpu}), load ${load}: ${sessions} sessions × ${perSecond} words a second, ${seconds} s`
)
const dir = await mkdtemp(join(tmpdir(), 'waystation-scale-'))
const database = await startEmbeddedPostgres({ dir, durable: true })
try {
  const postmaster = Number((await readFile(join(dir, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
  await measure('Postgres alone', {}, { Postgres: postmaster })
  const redis = await startRedis()
  if (redis !== undefined) {
    await measure('with Redis', { REDIS_URL: redis.url }, { Postgres: postmaster, Redis: redis.pid })
    redis.kill()
  }
} finally {
  await database.stop()
  await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

async function measure(name: string, settings: Record<string, string>, stores: Record<string, number>) {
  await using model = await startChild('model-server.ts', [`${perSecond}`, `${seconds}`])
  const start = (role: string) =>
    startServer({
      DATABASE_URL: database.url,
      WAYSTATION_ROLE: role,
      WAYSTATION_LIMIT_KEY: '0',
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: 'none',
      ...settings
    })
  const first = await start('web')
  const [second, ...workers] = await Promise.all([start('web'), start('worker'), start('worker')])
  const webs: [ServerProcess, ServerProcess] = [first, second]
  try {
    await streams(`warm-${name}`, webs, 10)
    const pids = { ...stores, web: webs.map(pidOf), worker: workers.map(pidOf) }
    const before = cpuByKind(pids)
    const words = await streams(`told-${name}`, webs, sessions)
    const after = cpuByKind(pids)
    const { n, p50, p95, p99 } = spreadOf(words.map(({ lag }) => lag))
    const cpuPerWord = Object.keys(pids).map(
      kind => `${kind} ${(((after[kind] ?? 0) - (before[kind] ?? 0)) / n).toFixed(2)}`
    )
    console.log(
      `${name}: ${n} words, lag p50/p95/p99 ${[p50, p95, p99].map(Math.round).join(' / ')} ms, CPU for a word (ms): ${cpuPerWord.join(', ')}`
    )
  } finally {
    await Promise.all([...webs, ...workers].map(server => server.stop()))
  }
}

function pidOf(server: ServerProcess) {
  return server.process.pid ?? 0
}

/** Returns milliseconds of CPU time by kind of process. */
function cpuByKind(pids: Record<string, number | number[]>): Record<string, number> {
  const total = (ids: number | number[]) => [ids].flat().reduce((sum, pid) => sum + (cpuOf(pid) ?? 0), 0)
  return Object.fromEntries(Object.entries(pids).map(([kind, ids]) => [kind, total(ids)]))
}

/**
 * Creates sessions and sends them messages at one web server while readers follow them at the other. The servers
 * alternate.
 */
async function streams(
  name: string,
  webs: [ServerProcess, ServerProcess],
  count: number
): Promise<ReceivedWord[]> {
  const prefix = name.replaceAll(' ', '-')
  const all = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const [sender, receiver] = n % 2 === 0 ? webs : ([webs[1], webs[0]] as const)
      const headers = { authorization: `Bearer ${sender.apiKey}`, 'content-type': 'application/json' }
      const post = async (path: string, body: object) => {
        const response = await fetch(sender.url + path, {
          method: 'POST',
          headers,
          body: JSON.stringify(body)
        })
        if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
      }
      const sessionId = `${prefix}-${n}`
      await post('/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId })
      const received: ReceivedWord[] = []
      const events = `${receiver.url}/api/sessions/${sessionId}/events?after=0`
      const { opened, complete } = listen(events, headers, perSecond * seconds, received)
      await opened
      return {
        received,
        complete,
        send: () => post(`/api/sessions/${sessionId}/messages`, { text: 'Speak.' })
      }
    })
  )
  await Promise.all(all.flatMap(({ send, complete }) => [send(), complete]))
  return all.flatMap(({ received }) => received)
}

async function startRedis() {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined
  const port = 20_000 + (process.pid % 10_000)
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = spawn('redis-server', args, { stdio: 'ignore' })
  await Promise.race([once(server, 'exit'), pause(500)])
  if (server.exitCode !== null) throw new Error(`Redis did not start on port ${port}.`)
  return { url: `redis://127.0.0.1:${port}`, pid: server.pid ?? 0, kill: () => server.kill() }
}
