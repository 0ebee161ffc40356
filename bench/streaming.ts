import { setTimeout as pause } from 'node:timers/promises'
import { connect, type Pool } from '#db/client.ts'
import { startServer } from '#tests/support/servers/start-server.ts'
import { startChild } from './child.ts'
import { listen, type ReceivedWord } from './listen.ts'
import { cpuOf, now } from './machine.ts'

const counts = [100, 200]
const perSecond = 20
/** The interval in milliseconds at which the number of active streams is checked. */
const pollMs = 20

/**
 * `received` contains the received words of each stream. `commits` contains the milliseconds that another client's
 * commit of one row took meanwhile, a measure of the disk and the load. `server` and `postgres` are milliseconds of
 * CPU time per word while all streams were active.
 */
export type Streamed = { received: ReceivedWord[][]; commits: number[]; server?: number; postgres?: number }

/** `count` concurrent streams, from the server and from the bare route. */
export type Load = { count: number; perSecond: number; ours: Streamed; bare: Streamed }

/** The results of `measureServer`. */
export type Served = {
  /**
   * Milliseconds from the start of the process to its first healthy response. The database was running and
   * migrated.
   */
  start: number
  loads: Load[]
}

/**
 * Measures a hundred sessions of the real server (`server.ts` with its pages) that each stream 20 words a second to
 * a client over HTTP. Then measures the bare route with the same model server and the same clients. Repeats both
 * with two hundred streams. A few streams warm up each server first.
 */
export async function measureServer(
  databaseUrl: string,
  postmaster: number,
  seconds: number
): Promise<Served> {
  const sql = connect(databaseUrl, { max: 1 })
  await using model = await startChild('model-server.ts', [`${perSecond}`, `${seconds}`])
  const startedAt = now()
  const server = await startServer({
    DATABASE_URL: databaseUrl,
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: 'none'
  })
  try {
    const health = await fetch(`${server.url}/api/health`)
    if (!health.ok) throw new Error(`The server is not healthy: ${await health.text()}`)
    const start = now() - startedAt
    await pause(2_000)
    const pid = server.process.pid ?? 0
    const pids = { server: pid, postgres: postmaster }
    await using route = await startChild('bare-route.ts', [`${model.url}/v1`])
    const streams = (count: number) => Array.from({ length: count }, () => ({ url: route.url, headers: {} }))
    const warm = await sessionsOf(server, 'warm', 20)
    await Promise.all([streamFrom(sql, seconds, pids, ...warm), streamFrom(sql, seconds, pids, streams(20))])
    const loads: Load[] = []
    for (const count of counts) {
      const ours = await streamFrom(sql, seconds, pids, ...(await sessionsOf(server, `of-${count}`, count)))
      const bare = await streamFrom(sql, seconds, { server: route.pid }, streams(count))
      loads.push({ count, perSecond, ours, bare })
    }
    return { start, loads }
  } finally {
    await sql.end()
    await server.stop()
  }
}

type Stream = { url: string; headers: Record<string, string> }

/**
 * Creates sessions on the server. Returns their event streams, and a function that sends a message to all of them
 * at once.
 */
async function sessionsOf(
  { url, apiKey }: { url: string; apiKey: string },
  prefix: string,
  count: number
): Promise<[Stream[], () => Promise<unknown>]> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  }
  const ids = Array.from({ length: count }, (_, i) => `${prefix}-${i}`)
  for (const sessionId of ids)
    await post('/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId })
  return [
    ids.map(id => ({ url: `${url}/api/sessions/${id}/events?after=0`, headers })),
    () => Promise.all(ids.map(id => post(`/api/sessions/${id}/messages`, { text: 'Speak, clock.' })))
  ]
}

/** Commits a row in its own table every 20 ms until it is stopped. */
function startProbe(sql: Pool): { stop(): Promise<number[]> } {
  const commits: number[] = []
  let stopped = false
  const loop = (async () => {
    await sql`create table if not exists probe (n int)`
    while (!stopped) {
      const startedAt = now()
      await sql`insert into probe values (1)`
      commits.push(now() - startedAt)
      await pause(20)
    }
  })()
  return {
    async stop() {
      stopped = true
      await loop
      return commits
    }
  }
}

async function streamFrom(
  sql: Pool,
  seconds: number,
  pids: { server: number; postgres?: number },
  streams: Stream[],
  start?: () => Promise<unknown>
): Promise<Streamed> {
  const received = streams.map((): ReceivedWord[] => [])
  const listening = streams.map(({ url, headers }, i) =>
    listen(url, headers, seconds * perSecond, received[i] as ReceivedWord[])
  )
  await Promise.all(listening.map(({ opened }) => opened))
  const probe = startProbe(sql)
  const [cpu] = await Promise.all([
    cpuPerWord(received, seconds * perSecond, pids),
    start?.(),
    ...listening.map(({ complete }) => complete)
  ])
  return { received, commits: await probe.stop(), ...cpu }
}

/** Returns the CPU time per word from the moment when all streams are active until the first one is complete. */
async function cpuPerWord(
  received: ReceivedWord[][],
  words: number,
  pids: { server: number; postgres?: number }
) {
  const snapshot = () => ({
    server: cpuOf(pids.server),
    postgres: pids.postgres === undefined ? undefined : cpuOf(pids.postgres),
    words: received.reduce((sum, { length }) => sum + length, 0)
  })
  while (received.some(({ length }) => length === 0)) await pause(pollMs)
  const before = snapshot()
  while (received.every(({ length }) => length < words)) await pause(pollMs)
  const after = snapshot()
  const share = (process: 'server' | 'postgres') => {
    const [from, to] = [before[process], after[process]]
    return from === undefined || to === undefined || after.words === before.words
      ? {}
      : { [process]: (to - from) / (after.words - before.words) }
  }
  return { ...share('server'), ...share('postgres') }
}
