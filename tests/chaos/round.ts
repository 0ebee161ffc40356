import { setTimeout as pause } from 'node:timers/promises'
import { findViolations, isServerIdle } from '#tests/support/servers/find-violations.ts'
import { check, type Violation } from './check.ts'
import { type Cluster, retryUntilSuccess } from './cluster.ts'
import type { ExternalServices } from './external-services.ts'
import type { Reader } from './follow.ts'
import type { History } from './history.ts'
import type { ScriptedModel } from './model.ts'
import { injectFaults } from './nemesis.ts'
import { type IsolatedKills, killOneAtATime, type Recovery } from './one-at-a-time.ts'
import { type Fault, plan } from './plan.ts'
import { readOutOfBand, readState } from './read-state.ts'
import { reply } from './reply.ts'
import { seeded } from './seeded.ts'
import type { Run } from './send-operation.ts'
import { type SessionClients, send, startChatClients, startExternalClients } from './start-clients.ts'
import type { State } from './state.ts'

export type Load = {
  seed: number
  /** Duration of faults and client requests, in milliseconds. */
  ms: number
  chats: number
  externals: number
  /** Maximum milliseconds between two faults. */
  every?: number
  without?: readonly Fault[]
  /** Clients continue until this many of their operations are accepted, however slow the machine is. */
  least?: number
  /** Kills to run one at a time, instead of the faults that the seed plans. */
  isolatedKills?: readonly IsolatedKills[]
}

/** The services around the stage. `disarm` disarms the failpoints. */
type Services = {
  model: ScriptedModel
  externalSystem: ExternalServices
  disarm?: (() => Promise<void>) | undefined
}

export type Round = { violations: Violation[]; state: State; settledMs: number; recoveries: Recovery[] }

/** Maximum time in milliseconds to become idle after the last fault. */
const maxIdleWaitMs = 300_000

/**
 * Plays one round on its own sessions: clients and the nemesis run side by side. After the last fault, it waits
 * until all accepted work is done or the time is over, and then checks the history. Rounds are short enough that no
 * session is compacted.
 */
export async function runRound(
  cluster: Cluster,
  { model, externalSystem, disarm }: Services,
  history: History,
  { seed, ms, chats, externals, every, without, least = 0, isolatedKills }: Load
): Promise<Round> {
  const end = Date.now() + ms
  let over = false
  const run: Run = {
    cluster,
    history,
    going: () => (isolatedKills === undefined ? Date.now() < end || run.accepted < least : !over),
    underWay: 0,
    accepted: 0
  }
  const randomOf = (name: string) => seeded(seed, name)
  const sessions = [
    ...Array.from({ length: chats }, (_, n) => ({ id: `chat-${seed}-${n}`, external: false })),
    ...Array.from({ length: externals }, (_, n) => ({ id: `external-${seed}-${n}`, external: true }))
  ]
  await clear(cluster)
  for (const { id, external } of sessions) await create(cluster, id, external)
  reply(run, externalSystem, randomOf('agent'))
  const conversations = sessions.map(({ id, external }) =>
    (external ? startExternalClients : startChatClients)(run, id, randomOf)
  )
  const recoveries = isolatedKills === undefined ? [] : await killOneAtATime(cluster, history, isolatedKills)
  if (isolatedKills === undefined) await injectFaults(cluster, history, plan(seed, ms, { every, without }))
  await disarm?.()
  over = true
  const healed = Date.now()
  await Promise.all(conversations.map(client => client.sendersDone))
  const pending = await untilIdle(run, conversations)
  const waited = new Map(
    await Promise.all(
      sessions.map(async ({ id }) => {
        const listed = pending.length > 0 ? [] : await readOutOfBand(cluster, id)
        return [id, listed.filter(({ status }) => status === 'visible')] as const
      })
    )
  )
  const violationsBefore = pending.length > 0 ? {} : await findViolations(cluster.sql)
  // The last prompt of a session shows what the model knows, so send one more message.
  const last = { sender: 'end', n: 0, what: 'talk', mode: 'queue' } as const
  for (const { id, external } of sessions)
    if (!external) await send(run, seeded(seed, `${id} end`), { session: id, ...last })
  if (pending.length === 0) pending.push(...(await untilIdle(run, conversations)))
  const settledMs = Date.now() - healed
  await Promise.all(conversations.flatMap(({ readers }) => readers.map(reader => reader.stop())))
  const state = await readState(cluster, sessions, model, externalSystem, waited)
  const stored = [violationsBefore, await findViolations(cluster.sql)]
  const violations: Violation[] = [
    ...check(history.lines, state),
    ...stored
      .flatMap(violationsIn => Object.entries(violationsIn))
      .flatMap(([what, rows]) =>
        rows.map(row => ({ check: 'stored' as const, session: '', what: `${what}: ${JSON.stringify(row)}` }))
      ),
    ...pending.map(what => ({
      check: 'unhandled' as const,
      session: '',
      what: `Not at rest in time: ${what}`
    }))
  ]
  return { violations, state, settledMs, recoveries }
}

const create = (cluster: Cluster, sessionId: string, external: boolean) =>
  retryUntilSuccess(async () => {
    const body = { agentId: external ? 'outside' : 'test', sessionId }
    const { status } = await cluster.request('POST', '/api/plugins/sessions/operations/create', { body })
    if (status !== 201) throw new Error(`The session was not made: ${status}`)
  })

/** Waits until the run is idle. Returns what is still pending when the time is over, and an empty array otherwise. */
async function untilIdle(run: Run, clients: readonly SessionClients[]): Promise<string[]> {
  const readers = clients.flatMap(client => client.readers)
  const deadline = Date.now() + maxIdleWaitMs
  for (;;) {
    const pending = await pendingWork(run, readers)
    // Checks twice, because an answer to the last event may just have started.
    if (pending.length === 0 && (await pendingWork(run, readers)).length === 0) return []
    if (Date.now() > deadline) return pending
    await pause(50)
  }
}

async function pendingWork(
  { cluster: { sql }, underWay }: Run,
  readers: readonly Reader[]
): Promise<string[]> {
  const sessionRows = await sql<{ id: string; seq: number }[]>`
    select s.id, h.seq::int from heads h join sessions s on s.key = h.session_key`
  const ends = new Map(sessionRows.map(({ id, seq }) => [id, seq]))
  const unread = readers.filter(reader => reader.cursor() !== ends.get(reader.session))
  const sending = await sql`select id from deliveries where state = 'pending'`
  return [
    ...(underWay === 0 ? [] : [`${underWay} operations have no outcome.`]),
    ...((await isServerIdle(sql)) ? [] : ['Sessions are owed or owned.']),
    ...sending.map(({ id }) => `${id} is not sent.`),
    ...unread.map(
      ({ session, cursor }) => `A reader of ${session} is at ${cursor()}, its end is ${ends.get(session)}.`
    )
  ]
}

/** Deletes the data of earlier rounds. Otherwise their sessions would be compacted during this round. */
const clear = ({ sql }: Cluster) => sql`
  truncate sessions, heads, events, inbox, receipts, messages, context, calls, turns, deliveries, out_of_band cascade`
