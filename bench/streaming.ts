import { setTimeout as pause } from 'node:timers/promises'
import { connect, type Pool } from '#db/client.ts'
import { startServer } from '#tests/support/worlds/start-server.ts'
import { startChild } from './child.ts'
import { type Heard, listen } from './listen.ts'
import { cpuOf, now, residentOf } from './machine.ts'

const counts = [100, 200]
const perSecond = 20
/** How often it is looked whether all stream, in milliseconds. */
const lookEvery = 20

/**
 * What was heard of each stream, how long a commit of one row by somebody else took meanwhile (milliseconds: what the
 * disk and the machine had left), and the CPU that each process used for a word while all streamed, in milliseconds.
 */
export type Streamed = { heard: Heard[][]; commits: number[]; server?: number; postgres?: number }

/** So many streams at once, from the server and from the bare route. */
export type Load = { count: number; perSecond: number; ours: Streamed; bare: Streamed }

export type Served = {
  /** Milliseconds from the start of the process to its first healthy answer; the database ran and was migrated. */
  start: number
  /** Megabytes resident: two seconds after the start, and after all streams. */
  idle?: number
  after?: number
  loads: Load[]
}

/**
 * A hundred sessions of the real server (`server.ts` with its pages) that each stream 20 words a second to a client
 * over HTTP, and the same from the bare route: one after the other, with the same model server and the same clients.
 * Then two hundred. Each is warmed up by a few streams first.
 */
export async function measureServer(
  databaseUrl: string,
  postmaster: number,
  seconds: number
): Promise<Served> {
  const sql = connect(databaseUrl, { max: 1 })
  await using model = await startChild('model-server.ts', [`${perSecond}`, `${seconds}`])
  const began = now()
  const server = await startServer({
    DATABASE_URL: databaseUrl,
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: 'none'
  })
  try {
    const health = await fetch(`${server.url}/api/health`)
    if (!health.ok) throw new Error(`The server is not healthy: ${await health.text()}`)
    const start = now() - began
    await pause(2_000)
    const pid = server.process.pid ?? 0
    const idle = residentOf(pid)
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
    const after = residentOf(pid)
    return {
      start,
      ...(idle === undefined ? {} : { idle }),
      ...(after === undefined ? {} : { after }),
      loads
    }
  } finally {
    await sql.end()
    await server.stop()
  }
}

type Stream = { url: string; headers: Record<string, string> }

/** New sessions of the server: their event streams, and what sends a message to each at once. */
async function sessionsOf(
  { url, apiKey }: { url: string; apiKey: string },
  prefix: string,
  count: number
): Promise<[Stream[], () => Promise<unknown>]> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  }
  const ids = Array.from({ length: count }, (_, i) => `${prefix}-${i}`)
  for (const sessionId of ids)
    await post('/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId })
  return [
    ids.map(id => ({ url: `${url}/api/sessions/${id}/events?after=0`, headers })),
    () => Promise.all(ids.map(id => post(`/api/sessions/${id}/messages`, { text: 'Speak, clock.' })))
  ]
}

/** Commits a row of its own every 20 ms, until it is stopped. */
function probe(sql: Pool): { stop(): Promise<number[]> } {
  const commits: number[] = []
  let stopped = false
  const probing = (async () => {
    await sql`create table if not exists probe (n int)`
    while (!stopped) {
      const began = now()
      await sql`insert into probe values (1)`
      commits.push(now() - began)
      await pause(20)
    }
  })()
  return {
    async stop() {
      stopped = true
      await probing
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
  const heard = streams.map((): Heard[] => [])
  const listening = streams.map(({ url, headers }, i) =>
    listen(url, headers, seconds * perSecond, heard[i] as Heard[])
  )
  await Promise.all(listening.map(({ opened }) => opened))
  const probing = probe(sql)
  const [used] = await Promise.all([
    usedTogether(heard, seconds * perSecond, pids),
    start?.(),
    ...listening.map(({ complete }) => complete)
  ])
  return { heard, commits: await probing.stop(), ...used }
}

/** The CPU for a word, from the moment when all streams speak until the first one has spoken. */
async function usedTogether(heard: Heard[][], words: number, pids: { server: number; postgres?: number }) {
  const look = () => ({
    server: cpuOf(pids.server),
    postgres: pids.postgres === undefined ? undefined : cpuOf(pids.postgres),
    words: heard.reduce((sum, { length }) => sum + length, 0)
  })
  while (heard.some(({ length }) => length === 0)) await pause(lookEvery)
  const before = look()
  while (heard.every(({ length }) => length < words)) await pause(lookEvery)
  const after = look()
  const share = (process: 'server' | 'postgres') => {
    const [from, to] = [before[process], after[process]]
    return from === undefined || to === undefined || after.words === before.words
      ? {}
      : { [process]: (to - from) / (after.words - before.words) }
  }
  return { ...share('server'), ...share('postgres') }
}
