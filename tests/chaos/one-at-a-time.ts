import { setTimeout as pause } from 'node:timers/promises'
import { again, type Stage } from './cluster.ts'
import type { History } from './history.ts'

/** A kind of kill and the number of kills. */
export type Alone = { fault: 'kill-worker' | 'kill-postgres'; times: number }

/** The result of one kill, in seconds until the slowest running session continues. */
export type Recovery = {
  fault: Alone['fault']
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
export async function oneAtATime(
  stage: Stage,
  history: History,
  alone: readonly Alone[]
): Promise<Recovery[]> {
  const recoveries: Recovery[] = []
  for (const { fault, times } of alone)
    for (let n = 0, hits = 0; hits < times; n++) {
      // Varies the moment of the kill relative to the heartbeat.
      await pause(1_500 + Math.random() * 1_000)
      await someRun(stage)
      const recovery = await (fault === 'kill-postgres' ? killPostgres(stage) : killWorker(stage, n))
      history.add({ kind: 'fault', fault, target: n, began: recovery.began, ended: recovery.ended })
      if (recovery.sessions === 0) continue
      recoveries.push(recovery)
      hits += 1
    }
  return recoveries
}

type Timed = Recovery & { began: number; ended: number }
type Turn = { session: string; seq: number; owner: string }

/** Returns the running turns: the last seq of their session and their owner. */
const turnsOf = ({ sql }: Stage) =>
  sql<Turn[]>`
    select session_key as session, seq::int, owner from heads where turn_id is not null and owner is not null`

async function killWorker(stage: Stage, n: number): Promise<Timed> {
  const workers = await stage.sql<{ id: string }[]>`select id from workers`
  const began = Date.now()
  const returned = stage.workers[n % stage.workers.length]?.kill().then(Date.now) ?? Promise.resolve(began)
  // By then, the last statement of the worker has committed.
  await pause(100)
  const turns = await turnsOf(stage)
  const ended = await returned
  const victims = await again(async () => {
    const ids = new Set((await stage.sql<{ id: string }[]>`select id from workers`).map(({ id }) => id))
    const deadWorkers = workers.filter(({ id }) => !ids.has(id))
    if (deadWorkers.length === 0) throw new Error('Nobody has noticed that a worker died.')
    return new Set(deadWorkers.map(({ id }) => id))
  })
  const hit = turns.filter(({ owner }) => victims.has(owner))
  return recoveryOf('kill-worker', began, ended, await resumeTimes(stage, hit, began))
}

async function killPostgres(stage: Stage): Promise<Timed> {
  const began = Date.now()
  await stage.killPostgres()
  const ended = Date.now()
  return recoveryOf('kill-postgres', began, ended, await resumeTimes(stage, await turnsOf(stage), ended))
}

const someRun = (stage: Stage) =>
  again(async () => {
    if ((await turnsOf(stage)).length === 0) throw new Error('Nothing runs.')
  })

/**
 * Resolves with the time of the next event of each turn, in milliseconds since 1970. Only the owner of a turn writes
 * such events.
 */
async function resumeTimes({ sql }: Stage, turns: readonly Turn[], since: number): Promise<number[]> {
  const next = ({ session, seq }: Turn) =>
    again(async () => {
      const [event] = await sql<{ at: Date }[]>`
        select at from events where session_key = ${session} and seq > ${seq} and type in ('chunk', 'status')
        order by seq limit 1`
      if (event === undefined) throw new Error(`Session ${session} does not go on.`)
      return Math.max(since, event.at.getTime())
    }, maxRecoverySeconds * 1000)
  return Promise.all(turns.map(next))
}

function recoveryOf(fault: Alone['fault'], began: number, ended: number, resumed: readonly number[]): Timed {
  const last = Math.max(began, ...resumed)
  const seconds = (since: number) => Math.max(0, last - since) / 1000
  const [sinceKill, sinceReturn] = [seconds(began), seconds(ended)]
  return { fault, sessions: resumed.length, sinceKill, sinceReturn, began, ended }
}
