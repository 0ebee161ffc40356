import { setTimeout as pause } from 'node:timers/promises'
import { type Cluster, retryUntilSuccess } from './cluster.ts'
import type { History } from './history.ts'

/** A kind of kill and the number of kills. */
export type IsolatedKills = { fault: 'kill-worker' | 'kill-postgres'; times: number }

/** The result of one kill, in seconds until the slowest running session continues. */
export type Recovery = {
  fault: IsolatedKills['fault']
  /** The number of sessions that were in the middle of a turn. */
  sessions: number
  /** Seconds since the kill. */
  sinceKill: number
  /** Seconds since the killed process was back: it serves again, or accepts statements. */
  sinceReturn: number
}

/** Maximum time in seconds for a session to continue. */
const maxRecoverySeconds = 60

/**
 * Kills processes one at a time. Waits until a turn runs, kills, and then waits for recovery: every running turn has
 * its next event in the log and the process is back. A kill that interrupted no turn is not counted. Throws if a
 * session does not continue.
 */
export async function killOneAtATime(
  cluster: Cluster,
  history: History,
  isolatedKills: readonly IsolatedKills[]
): Promise<Recovery[]> {
  const recoveries: Recovery[] = []
  for (const { fault, times } of isolatedKills)
    for (let n = 0, hits = 0; hits < times; n++) {
      // Varies the moment of the kill relative to the heartbeat.
      await pause(1_500 + Math.random() * 1_000)
      await waitForRunningTurn(cluster)
      const recovery = await (fault === 'kill-postgres' ? killPostgres(cluster) : killWorker(cluster, n))
      history.add({ kind: 'fault', fault, target: n, startedAt: recovery.startedAt, ended: recovery.ended })
      if (recovery.sessions === 0) continue
      recoveries.push(recovery)
      hits += 1
    }
  return recoveries
}

type Timed = Recovery & { startedAt: number; ended: number }
type Turn = { session: string; seq: number; owner: string }

/** Returns the running turns: the last seq of their session and their owner. */
const turnsOf = ({ sql }: Cluster) =>
  sql<Turn[]>`
    select session_key as session, seq::int, owner from heads where turn_id is not null and owner is not null`

async function killWorker(cluster: Cluster, n: number): Promise<Timed> {
  const workers = await cluster.sql<{ id: string }[]>`select id from workers`
  const startedAt = Date.now()
  const returned =
    cluster.workers[n % cluster.workers.length]?.kill().then(Date.now) ?? Promise.resolve(startedAt)
  // By then, the last statement of the worker has committed.
  await pause(100)
  const turns = await turnsOf(cluster)
  const ended = await returned
  const victims = await retryUntilSuccess(async () => {
    const ids = new Set((await cluster.sql<{ id: string }[]>`select id from workers`).map(({ id }) => id))
    const deadWorkers = workers.filter(({ id }) => !ids.has(id))
    if (deadWorkers.length === 0) throw new Error('Nobody has noticed that a worker died.')
    return new Set(deadWorkers.map(({ id }) => id))
  })
  const hit = turns.filter(({ owner }) => victims.has(owner))
  return recoveryOf('kill-worker', startedAt, ended, await resumeTimes(cluster, hit, startedAt))
}

async function killPostgres(cluster: Cluster): Promise<Timed> {
  const startedAt = Date.now()
  await cluster.killPostgres()
  const ended = Date.now()
  return recoveryOf(
    'kill-postgres',
    startedAt,
    ended,
    await resumeTimes(cluster, await turnsOf(cluster), ended)
  )
}

const waitForRunningTurn = (cluster: Cluster) =>
  retryUntilSuccess(async () => {
    if ((await turnsOf(cluster)).length === 0) throw new Error('Nothing runs.')
  })

/**
 * Resolves with the time of the next event of each turn, in milliseconds since 1970. Only the owner of a turn writes
 * such events.
 */
async function resumeTimes({ sql }: Cluster, turns: readonly Turn[], since: number): Promise<number[]> {
  const next = ({ session, seq }: Turn) =>
    retryUntilSuccess(async () => {
      const [event] = await sql<{ at: Date }[]>`
        select at from events where session_key = ${session} and seq > ${seq} and type in ('chunk', 'status')
        order by seq limit 1`
      if (event === undefined) throw new Error(`Session ${session} does not go on.`)
      return Math.max(since, event.at.getTime())
    }, maxRecoverySeconds * 1000)
  return Promise.all(turns.map(next))
}

function recoveryOf(
  fault: IsolatedKills['fault'],
  startedAt: number,
  ended: number,
  resumed: readonly number[]
): Timed {
  const last = Math.max(startedAt, ...resumed)
  const seconds = (since: number) => Math.max(0, last - since) / 1000
  const [sinceKill, sinceReturn] = [seconds(startedAt), seconds(ended)]
  return { fault, sessions: resumed.length, sinceKill, sinceReturn, startedAt, ended }
}
