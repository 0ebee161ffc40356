import type { Call } from '@waystation/protocol/call/call.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { LoggedEvent, SessionStatus } from '@waystation/protocol/session/event.ts'
import { type Cluster, retryUntilSuccess } from './cluster.ts'
import type { ExternalServices } from './external-services.ts'
import { digestOfEvent } from './follow.ts'
import type { ScriptedModel } from './model.ts'
import type { EndOfSession, Logged, State } from './state.ts'

/**
 * Reads these sessions from the API and adds the records of the fake services. `waited`: see EndOfSession, by
 * session.
 */
export async function readState(
  cluster: Cluster,
  sessions: readonly { id: string; external: boolean }[],
  model: ScriptedModel,
  externalSystem: ExternalServices,
  waited: ReadonlyMap<string, OutOfBand[]>
): Promise<State> {
  return {
    sessions: await Promise.all(
      sessions.map(session => readSession(cluster, session, model, waited.get(session.id) ?? []))
    ),
    effects: [...externalSystem.effects],
    delivered: externalSystem.delivered.map(({ key, delivery }) => ({ key, delivery })),
    torn: [...model.torn],
    ended: [...cluster.ended]
  }
}

async function readSession(
  cluster: Cluster,
  { id, external }: { id: string; external: boolean },
  model: ScriptedModel,
  waited: OutOfBand[]
): Promise<EndOfSession> {
  const log = await readLog(cluster, id)
  const { session } = (await get(cluster, `/api/sessions/${id}`)) as {
    session: { status: SessionStatus; waitingFor: Call[] }
  }
  const { status, waitingFor } = session
  const outOfBand = await readOutOfBand(cluster, id)
  const seen = external
    ? { prompt: [], outOfBandInPrompt: [] }
    : { prompt: model.promptOf(id), outOfBandInPrompt: model.outOfBandOf(id) }
  return { id, external, status, waitingFor, log, ...seen, outOfBand, waited }
}

/** Returns the newest 200 out-of-band messages, newest first. */
export async function readOutOfBand(cluster: Cluster, id: string): Promise<OutOfBand[]> {
  const { messages } = (await get(cluster, `/api/sessions/${id}/oob`)) as { messages: OutOfBand[] }
  return messages
}

/** Reads the whole log, oldest first, page by page from its end. */
async function readLog(cluster: Cluster, id: string): Promise<Logged[]> {
  const log: Logged[] = []
  for (let before: number | undefined; before === undefined || before > 1; ) {
    const query = before === undefined ? '' : `&before=${before}`
    const { events } = (await get(cluster, `/api/sessions/${id}/log?limit=500${query}`)) as {
      events: (LoggedEvent & { seq: number; at: string })[]
    }
    if (events.length === 0) break
    log.push(...events.map(event => ({ seq: event.seq, at: event.at, digest: digestOfEvent(event), event })))
    before = events.at(-1)?.seq
  }
  return log.reverse()
}

const get = (cluster: Cluster, path: string) =>
  retryUntilSuccess(async () => {
    const { status, body } = await cluster.request('GET', path, { timeoutMs: 10_000 })
    if (status !== 200) throw new Error(`GET ${path}: ${status}`)
    return body
  }, 120_000)
