import type { Call } from '@waystation/protocol/call/call.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { LoggedEvent, SessionStatus } from '@waystation/protocol/session/event.ts'
import { again, type Stage } from './cluster.ts'
import type { Outside } from './external-services.ts'
import { digestOfEvent } from './follow.ts'
import type { ObedientModel } from './model.ts'
import type { EndOfSession, Logged, State } from './state.ts'

/**
 * Reads these sessions from the API and adds the records of the fake services. `waited`: see EndOfSession, by
 * session.
 */
export async function readState(
  stage: Stage,
  sessions: readonly { id: string; external: boolean }[],
  model: ObedientModel,
  outside: Outside,
  waited: ReadonlyMap<string, OutOfBand[]>
): Promise<State> {
  return {
    sessions: await Promise.all(
      sessions.map(session => readSession(stage, session, model, waited.get(session.id) ?? []))
    ),
    effects: [...outside.effects],
    delivered: outside.delivered.map(({ key, delivery }) => ({ key, delivery })),
    torn: [...model.torn],
    ended: [...stage.ended]
  }
}

async function readSession(
  stage: Stage,
  { id, external }: { id: string; external: boolean },
  model: ObedientModel,
  waited: OutOfBand[]
): Promise<EndOfSession> {
  const log = await readLog(stage, id)
  const { session } = (await get(stage, `/api/sessions/${id}`)) as {
    session: { status: SessionStatus; waitingFor: Call[] }
  }
  const { status, waitingFor } = session
  const outOfBand = await readOutOfBand(stage, id)
  const seen = external ? { prompt: [], told: [] } : { prompt: model.promptOf(id), told: model.toldOf(id) }
  return { id, external, status, waitingFor, log, ...seen, outOfBand, waited }
}

/** Returns the newest 200 out-of-band messages, newest first. */
export async function readOutOfBand(stage: Stage, id: string): Promise<OutOfBand[]> {
  const { messages } = (await get(stage, `/api/sessions/${id}/oob`)) as { messages: OutOfBand[] }
  return messages
}

/** Reads the whole log, oldest first, page by page from its end. */
async function readLog(stage: Stage, id: string): Promise<Logged[]> {
  const log: Logged[] = []
  for (let before: number | undefined; before === undefined || before > 1; ) {
    const query = before === undefined ? '' : `&before=${before}`
    const { events } = (await get(stage, `/api/sessions/${id}/log?limit=500${query}`)) as {
      events: (LoggedEvent & { seq: number; at: string })[]
    }
    if (events.length === 0) break
    log.push(...events.map(event => ({ seq: event.seq, at: event.at, digest: digestOfEvent(event), event })))
    before = events.at(-1)?.seq
  }
  return log.reverse()
}

const get = (stage: Stage, path: string) =>
  again(async () => {
    const { status, body } = await stage.ask('GET', path, { patience: 10_000 })
    if (status !== 200) throw new Error(`GET ${path}: ${status}`)
    return body
  }, 120_000)
