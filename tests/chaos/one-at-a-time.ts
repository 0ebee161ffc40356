import { setTimeout as pause } from 'node:timers/promises'
import type { History } from './history.ts'
import { again, type Stage } from './stage.ts'

/** A kind of kill, and how often. */
export type Alone = { fault: 'kill-worker' | 'kill-postgres'; times: number }

/** What came of one: seconds until each session that ran goes on, at its slowest. */
export type Recovery = {
  fault: Alone['fault']
  /** How many sessions it hit in the middle of a turn. */
  sessions: number
  /** Since the kill. */
  sinceKill: number
  /** Since what was killed was there again: serves, or takes statements. */
  sinceReturn: number
}

/** So many seconds are waited for a session to go on. */
const patience = 60

/**
 * Kills with room between them: waits until something runs, kills it, waits until every turn that it ran has its next event
 * in the log and what was killed is there again, and then begins anew. A kill that hit nothing is not
 * counted. Throws when a session does not go on.
 */
export async function oneAtATime(
  stage: Stage,
  history: History,
  alone: readonly Alone[]
): Promise<Recovery[]> {
  const found: Recovery[] = []
  for (const { fault, times } of alone)
    for (let n = 0, hits = 0; hits < times; n++) {
      // Not always at the same moment of a beat.
      await pause(1_500 + Math.random() * 1_000)
      await someRun(stage)
      const recovery = await (fault === 'kill-postgres' ? killPostgres(stage) : killWorker(stage, n))
      history.add({ kind: 'fault', fault, target: n, began: recovery.began, ended: recovery.ended })
      if (recovery.sessions === 0) continue
      found.push(recovery)
      hits += 1
    }
  return found
}

type Timed = Recovery & { began: number; ended: number }
type Turn = { session: string; seq: number; owner: string }

/** The turns that somebody runs: where their logs end, and whose they are. */
const turnsOf = ({ sql }: Stage) =>
  sql<Turn[]>`
    select session_key as session, seq::int, owner from heads where turn_id is not null and owner is not null`

async function killWorker(stage: Stage, n: number): Promise<Timed> {
  const workers = await stage.sql<{ id: string }[]>`select id from workers`
  const began = Date.now()
  const returned = stage.workers[n % stage.workers.length]?.kill().then(Date.now) ?? Promise.resolve(began)
  // What its last statement wrote is there by then.
  await pause(100)
  const turns = await turnsOf(stage)
  const ended = await returned
  const victims = await again(async () => {
    const left = new Set((await stage.sql<{ id: string }[]>`select id from workers`).map(({ id }) => id))
    const gone = workers.filter(({ id }) => !left.has(id))
    if (gone.length === 0) throw new Error('Nobody has noticed that a worker died.')
    return new Set(gone.map(({ id }) => id))
  })
  const hit = turns.filter(({ owner }) => victims.has(owner))
  return timed('kill-worker', began, ended, await goneOn(stage, hit, began))
}

async function killPostgres(stage: Stage): Promise<Timed> {
  const began = Date.now()
  await stage.killPostgres()
  const ended = Date.now()
  return timed('kill-postgres', began, ended, await goneOn(stage, await turnsOf(stage), ended))
}

const someRun = (stage: Stage) =>
  again(async () => {
    if ((await turnsOf(stage)).length === 0) throw new Error('Nothing runs.')
  })

/** When the turn of each had its next event, which only whoever runs it writes: milliseconds since 1970. */
async function goneOn({ sql }: Stage, turns: readonly Turn[], since: number): Promise<number[]> {
  const next = ({ session, seq }: Turn) =>
    again(async () => {
      const [event] = await sql<{ at: Date }[]>`
        select at from events where session_key = ${session} and seq > ${seq} and type in ('chunk', 'status')
        order by seq limit 1`
      if (event === undefined) throw new Error(`Session ${session} does not go on.`)
      return Math.max(since, event.at.getTime())
    }, patience * 1000)
  return Promise.all(turns.map(next))
}

function timed(fault: Alone['fault'], began: number, ended: number, wentOn: readonly number[]): Timed {
  const last = Math.max(began, ...wentOn)
  const seconds = (since: number) => Math.max(0, last - since) / 1000
  const [sinceKill, sinceReturn] = [seconds(began), seconds(ended)]
  return { fault, sessions: wentOn.length, sinceKill, sinceReturn, began, ended }
}
