import { setTimeout as pause } from 'node:timers/promises'
import { connect, type Pool } from '#db/client.ts'
import { type ClockServer, startClockServer } from './clock-server.ts'
import { type FirstWords, measureFirstWords } from './first-word.ts'
import { cpuOf, now } from './machine.ts'

/** Turns a second, and milliseconds of CPU time per turn in the server process and in Postgres. */
export type Throughput = { perSecond: number; node?: number; postgres?: number }

const sessions = 200
/** The interval in milliseconds at which ended turns are counted. */
const pollMs = 10

/** The sessions whose first word is measured. */
const firstWords = 100

/**
 * Measures the real server over HTTP with 200 sessions that all have work at the same time. The model answers at
 * once with two words. `once`: each session gets one message, the median of three rounds. `inTurn`: each gets five
 * messages, each after the end of the previous turn. `firstWords`: the delays of first words of single messages to the
 * idle server.
 */
export async function measureThroughput(
  databaseUrl: string,
  postmaster: number
): Promise<{ once: Throughput; inTurn: Throughput; firstWords: FirstWords }> {
  const sql = connect(databaseUrl, { max: 1 })
  await using clock = await startClockServer(databaseUrl, { perSecond: 1000, seconds: 0.002 })
  const run = runner(clock, sql, postmaster)
  try {
    // Two rounds to warm up.
    for (let round = 0; round < 2; round++) await run(1)
    const rounds = [await run(1), await run(1), await run(1)].sort((a, b) => a.perSecond - b.perSecond)
    const inTurn = await run(5)
    return {
      once: rounds[1] as Throughput,
      inTurn,
      firstWords: await measureFirstWords(clock, firstWords)
    }
  } finally {
    await sql.end()
  }
}

/** Returns a function that sends `messages` messages to each of 200 new sessions and measures their turns. */
export function runner(
  { server, createSessions, send }: ClockServer,
  sql: Pool,
  postmaster: number,
  name = 'throughput'
) {
  const pid = server.process.pid ?? 0
  let rounds = 0
  return async (messages: number): Promise<Throughput> => {
    const prefix = `${name}-${rounds++}-`
    const ids = Array.from({ length: sessions }, (_, n) => `${prefix}${n}`)
    await createSessions(ids)
    const before = [cpuOf(pid), cpuOf(postmaster)]
    const startedAt = now()
    await Promise.all(ids.map(send))
    const sent = new Map(ids.map(id => [id, 1]))
    for (let ended = 0; ended < sessions * messages; await pause(pollMs)) {
      const counts = await endedTurns(sql, prefix)
      ended = counts.reduce((sum, { count }) => sum + count, 0)
      const next = counts.filter(({ id, count }) => count === sent.get(id) && count < messages)
      for (const { id, count } of next) sent.set(id, count + 1)
      await Promise.all(next.map(({ id }) => send(id)))
    }
    const turns = sessions * messages
    const [node, postgres] = [cpuOf(pid), cpuOf(postmaster)].map((after, i) => {
      const start = before[i]
      return after === undefined || start === undefined ? undefined : (after - start) / turns
    })
    return {
      perSecond: turns / ((now() - startedAt) / 1000),
      ...(node === undefined ? {} : { node }),
      ...(postgres === undefined ? {} : { postgres })
    }
  }
}

const endedTurns = (sql: Pool, prefix: string): Promise<{ id: string; count: number }[]> => sql<
  { id: string; count: number }[]
>`
  select s.id, count(*)::int as count from turns t join sessions s on s.key = t.session_key
  where starts_with(s.id, ${prefix}) and t.ended_at is not null group by s.id`
