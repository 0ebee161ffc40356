import { setTimeout as pause } from 'node:timers/promises'
import { atRest, findUnsound } from '#tests/support/worlds/find-unsound.ts'
import { check, type Violation } from './check.ts'
import { type Conversation, converse, dictate, send } from './converse.ts'
import type { Reader } from './follow.ts'
import type { History } from './history.ts'
import type { ObedientModel } from './model.ts'
import { torment } from './nemesis.ts'
import { type Alone, oneAtATime, type Recovery } from './one-at-a-time.ts'
import type { Run } from './operate.ts'
import type { Outside } from './outside.ts'
import { type Fault, plan } from './plan.ts'
import { readOutOfBand, readState } from './read-state.ts'
import { reply } from './reply.ts'
import { seeded } from './seeded.ts'
import { again, type Stage } from './stage.ts'
import type { State } from './state.ts'

export type Load = {
  seed: number
  /** How long faults come and clients ask, in milliseconds. */
  ms: number
  chats: number
  externals: number
  /** Milliseconds from one fault to the next, at most. */
  every?: number
  without?: readonly Fault[]
  /** Clients go on until so many of their operations are accepted, however slow the machine is. */
  least?: number
  /** Instead of what the seed draws: these, one at a time, until all went on so often. */
  alone?: readonly Alone[]
}

/** What there is around the stage; `calm`: nothing more is done at failpoints. */
type Around = { model: ObedientModel; outside: Outside; calm?: (() => Promise<void>) | undefined }

export type Round = { violations: Violation[]; state: State; settledMs: number; recoveries: Recovery[] }

/** After the last fault, so many milliseconds are given for everything to be over. */
const longest = 300_000

/**
 * One round on sessions of its own: clients and the nemesis side by side; then the faults stop, and when everything that
 * was accepted is done, or has had its time, the history is judged. Rounds are short enough that nothing of them is
 * compacted.
 */
export async function playRound(
  stage: Stage,
  { model, outside, calm }: Around,
  history: History,
  { seed, ms, chats, externals, every, without, least = 0, alone }: Load
): Promise<Round> {
  const end = Date.now() + ms
  let over = false
  const run: Run = {
    stage,
    history,
    going: () => (alone === undefined ? Date.now() < end || run.accepted < least : !over),
    underWay: 0,
    accepted: 0
  }
  const randomOf = (name: string) => seeded(seed, name)
  const sessions = [
    ...Array.from({ length: chats }, (_, n) => ({ id: `chat-${seed}-${n}`, external: false })),
    ...Array.from({ length: externals }, (_, n) => ({ id: `external-${seed}-${n}`, external: true }))
  ]
  await clear(stage)
  for (const { id, external } of sessions) await create(stage, id, external)
  reply(run, outside, randomOf('agent'))
  const talks = sessions.map(({ id, external }) => (external ? dictate : converse)(run, id, randomOf))
  const recoveries = alone === undefined ? [] : await oneAtATime(stage, history, alone)
  if (alone === undefined) await torment(stage, history, plan(seed, ms, { every, without }))
  await calm?.()
  over = true
  const healed = Date.now()
  await Promise.all(talks.map(talk => talk.over))
  const left = await rest(run, talks)
  const waited = new Map(
    await Promise.all(
      sessions.map(async ({ id }) => {
        const listed = left.length > 0 ? [] : await readOutOfBand(stage, id)
        return [id, listed.filter(({ status }) => status === 'visible')] as const
      })
    )
  )
  const early = left.length > 0 ? {} : await findUnsound(stage.sql)
  // What the model knows of a session is what it is shown next.
  const last = { sender: 'end', n: 0, what: 'talk', mode: 'queue' } as const
  for (const { id, external } of sessions)
    if (!external) await send(run, seeded(seed, `${id} end`), { session: id, ...last })
  if (left.length === 0) left.push(...(await rest(run, talks)))
  const settledMs = Date.now() - healed
  await Promise.all(talks.flatMap(({ readers }) => readers.map(reader => reader.stop())))
  const state = await readState(stage, sessions, model, outside, waited)
  const stored = [early, await findUnsound(stage.sql)]
  const violations: Violation[] = [
    ...check(history.lines, state),
    ...stored
      .flatMap(found => Object.entries(found))
      .flatMap(([what, rows]) =>
        rows.map(row => ({ check: 'stored' as const, session: '', what: `${what}: ${JSON.stringify(row)}` }))
      ),
    ...left.map(what => ({ check: 'unhandled' as const, session: '', what: `Not at rest in time: ${what}` }))
  ]
  return { violations, state, settledMs, recoveries }
}

const create = (stage: Stage, sessionId: string, external: boolean) =>
  again(async () => {
    const body = { agentId: external ? 'outside' : 'test', sessionId }
    const { status } = await stage.ask('POST', '/api/plugins/sessions/operations/create', { body })
    if (status !== 201) throw new Error(`The session was not made: ${status}`)
  })

/** Waits until nothing is owed, sent, asked or unread any more; says what still is when that takes too long. */
async function rest(run: Run, talks: readonly Conversation[]): Promise<string[]> {
  const readers = talks.flatMap(talk => talk.readers)
  const late = Date.now() + longest
  for (;;) {
    const left = await leftToDo(run, readers)
    // Twice, since an answer to what was read last may just have begun.
    if (left.length === 0 && (await leftToDo(run, readers)).length === 0) return []
    if (Date.now() > late) return left
    await pause(50)
  }
}

async function leftToDo({ stage: { sql }, underWay }: Run, readers: readonly Reader[]): Promise<string[]> {
  const heads = await sql<{ id: string; seq: number }[]>`
    select s.id, h.seq::int from heads h join sessions s on s.key = h.session_key`
  const ends = new Map(heads.map(({ id, seq }) => [id, seq]))
  const unread = readers.filter(reader => reader.cursor() !== ends.get(reader.session))
  const sending = await sql`select id from deliveries where state = 'pending'`
  return [
    ...(underWay === 0 ? [] : [`${underWay} operations have no outcome.`]),
    ...((await atRest(sql)) ? [] : ['Sessions are owed or owned.']),
    ...sending.map(({ id }) => `${id} is not sent.`),
    ...unread.map(
      ({ session, cursor }) => `A reader of ${session} is at ${cursor()}, its end is ${ends.get(session)}.`
    )
  ]
}

/** Nothing of earlier rounds, which would be compacted in the middle of this one. */
const clear = ({ sql }: Stage) => sql`
  truncate sessions, heads, events, inbox, receipts, messages, context, calls, turns, deliveries, out_of_band cascade`
