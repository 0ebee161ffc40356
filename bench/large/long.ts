import { longSession } from '#bench/long-session.ts'
import { now } from '#bench/machine.ts'
import type { Stage } from '#bench/stage.ts'
import { measureSteps, type Steps } from '#bench/steps.ts'
import { startServer } from '#tests/support/servers/start-server.ts'

/** The numbers of messages that are compared. A message of the long session has ten events. */
export type LongSize = { short: number; long: number; openings: number; seconds: number }
const eventsPerMessage = 10

/** Milliseconds in a short and in a long session: reading it over HTTP like a client that opens it, and turns. */
export type Long = { opened: { short: number[]; long: number[] }; steps: Steps }

/** Measures a very long session and a short one on the same database, in alternating order. */
export async function measureLong(
  openStage: () => Promise<Stage>,
  databaseUrl: string,
  { short, long, openings, seconds }: LongSize
): Promise<Long> {
  const inProcess = async () => {
    await using stage = await openStage()
    const steps = await measureSteps(stage, seconds, { short, long, sessions: 1, eventsPerMessage })
    const ids = {
      short: await longSession(stage, short),
      long: await longSession(stage, long, eventsPerMessage)
    }
    await stage.sql`vacuum analyze`
    return { steps, ids }
  }
  const { steps, ids } = await inProcess()
  const server = await startServer({ DATABASE_URL: databaseUrl })
  const headers = { authorization: `Bearer ${server.apiKey}` }
  const open = async (id: string) => {
    const startedAt = now()
    const response = await fetch(`${server.url}/api/sessions/${id}`, { headers })
    if (!response.ok) throw new Error(`The session answered ${response.status}: ${await response.text()}`)
    await response.arrayBuffer()
    return now() - startedAt
  }
  const opened: Long['opened'] = { short: [], long: [] }
  const warm = 20
  try {
    for (let n = 0; n < warm + openings; n++)
      for (const side of ['short', 'long'] as const) {
        const duration = await open(ids[side])
        if (n >= warm) opened[side].push(duration)
      }
  } finally {
    await server.stop()
  }
  return { opened, steps }
}
