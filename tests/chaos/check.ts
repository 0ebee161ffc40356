import type { Call } from '#lib/protocol/call/call.ts'
import { deliveryOf, textOf } from '#lib/protocol/session/message.ts'
import { oobsOf, toldAt, toldLooks } from './check-told.ts'
import { wordLooks } from './check-words.ts'
import type { Followed, Line, Operation } from './history.ts'
import { keyOf, twice } from './keys.ts'
import type { EndOfSession, State } from './state.ts'

/** What was promised and not kept; `stored`: by what the database says of itself (`tests/support/worlds/sound-sessions.ts`). */
export type Violation = { check: Check | 'stored'; session: string; what: string }

type Look = (operations: Operation[], session: EndOfSession, state: State, lines: readonly Line[]) => string[]

/** What came in of one: `placedAt`, where the agent got it. */
type CameIn = { key: string; id: string; seq: number; placedAt: number }

/**
 * What came in, by its key and in its order: messages, and out of band. A message that is placed later, or says how its delivery
 * stands, is the same.
 */
function whatCameInTo(session: EndOfSession): CameIn[] {
  const messages: CameIn[] = oobsOf(session).map(one => ({ ...one, placedAt: toldAt(one) ?? one.seq }))
  for (const { seq, event } of session.log) {
    if (event.type !== 'message') continue
    const same = messages.find(({ id }) => id === event.message.id)
    if (event.placed && same) same.placedAt = seq
    else if (same && deliveryOf(event.message) !== undefined) continue
    else messages.push({ key: keyOf(textOf(event.message)), id: event.message.id, seq, placedAt: seq })
  }
  return messages
}

const brings = ({ verb }: Operation) => verb === 'send' || verb === 'callback' || verb === 'tell'

/** The states each call went through, by its ID; repeated ones (a warning, an extension) are one. */
function pathsOf(session: EndOfSession): Map<string, Call[]> {
  const paths = new Map<string, Call[]>()
  for (const { event } of session.log) {
    if (event.type !== 'call') continue
    const path = paths.get(event.call.toolCallId) ?? []
    if (path.at(-1)?.state !== event.call.state) path.push(event.call)
    paths.set(event.call.toolCallId, path)
  }
  return paths
}

/**
 * The promises, each with who looks whether it was kept. A checker is given the operations of one session, the session,
 * the whole state and the whole history, and says in sentences what it found.
 */
const looks = {
  /** Accepted means kept: an acknowledged message is in the log. */
  lost: (operations, session) => {
    const there = new Map(whatCameInTo(session).map(({ key, id }) => [key, id]))
    return operations.filter(brings).flatMap(({ outcome, key, messageId, verb }) => {
      if (outcome !== 'ok') return []
      if (!there.has(key)) return [`The ${verb} ${key} was accepted, and is not in the log.`]
      return there.get(key) === messageId
        ? []
        : [`${key} was accepted as ${messageId}, and is another message.`]
    })
  },

  /** Whatever came of an operation, and however often it was tried: at most once. */
  doubled: (_, session) =>
    twice(whatCameInTo(session).map(({ key }) => key)).map(key => `${key} is in the log more than once.`),

  /** What was refused did not happen, and nothing is there that nobody asked for. */
  uncalled: (operations, session) => {
    const possible = new Set(
      operations.filter(one => brings(one) && one.outcome !== 'failed').map(({ key }) => key)
    )
    return whatCameInTo(session)
      .filter(({ key }) => !possible.has(key))
      .map(({ key, id }) => `${key || id} is in the log, and nobody was told that it was accepted.`)
  },

  /**
   * What one sender was told is kept came in in the order in which it was sent, and what waited was taken in that order;
   * out of band, what is equally urgent.
   */
  reordered: (operations, session) => {
    const there = new Map(whatCameInTo(session).map(message => [message.key, message]))
    const found: string[] = []
    const last = new Map<string, { key: string; seq: number }>()
    const look = (line: string, key: string, seq: number) => {
      const before = last.get(line)
      if (before !== undefined && before.seq > seq) found.push(`${key} came before ${before.key}.`)
      else last.set(line, { key, seq })
    }
    for (const { sender, key, mode, priority } of operations.filter(
      one => brings(one) && one.outcome === 'ok'
    )) {
      const message = there.get(key)
      if (message === undefined) continue
      look(`${sender} in`, key, message.seq)
      if (mode === 'queue') look(`${sender} taken`, key, message.placedAt)
      if (priority !== undefined && session.told.some(({ id }) => id === message.id))
        look(`${sender} told ${priority}`, key, message.placedAt)
    }
    return found
  },

  /** What each reader saw is the log: no gap, nothing twice, nothing in another order, nothing changed, all of it. */
  misread: (_, session, __, lines) => {
    const found: string[] = []
    const log = new Map(session.log.map(({ seq, digest }) => [seq, digest]))
    const at = new Map<string, number>()
    for (const line of lines) {
      if (line.kind !== 'followed' || line.session !== session.id) continue
      found.push(...misreadOf(line, at.get(line.reader) ?? 0, log))
      at.set(line.reader, line.seen.at(-1)?.[0] ?? line.after)
    }
    const end = session.log.at(-1)?.seq ?? 0
    for (const [reader, cursor] of at)
      if (cursor !== end) found.push(`${reader} saw everything up to ${cursor}, and the log ends at ${end}.`)
    return found
  },

  /** The log is numbered without gaps from 1. */
  gap: (_, session) =>
    session.log.flatMap(({ seq }, n) => {
      const before = session.log[n - 1]?.seq ?? 0
      return seq === before + 1 ? [] : [`${seq} stands behind ${before}.`]
    }),

  /** Every turn that began ended, once. */
  'turn ends': (_, session) => {
    const ends = new Map<string, number>()
    for (const { event } of session.log)
      if (event.type === 'status' && event.turnId !== undefined)
        ends.set(event.turnId, (ends.get(event.turnId) ?? 0) + (event.outcome === undefined ? 0 : 1))
    return [...ends].filter(([, n]) => n !== 1).map(([turnId, n]) => `${turnId} ended ${n} times.`)
  },

  /** Every call is settled at most once; what was approved may still fail when it runs. */
  'call ends': (_, session) =>
    [...pathsOf(session)].flatMap(([id, calls]) => {
      const path = calls.map(({ state }) => state)
      const settled = path.slice(path[0] === 'open' ? 1 : 0).join(' ')
      return /^(approved failed|\S*)$/.test(settled) && !path.includes('open', 1)
        ? []
        : [`${id} was ${path.join(', then ')}.`]
    }),

  /** An answer that was accepted is the one that counts, and there is one; one that nobody gave is still waited for. */
  answers: (operations, session) => {
    const given = operations.filter(({ verb, outcome }) => verb === 'answer' && outcome !== 'failed')
    return [...pathsOf(session)].flatMap(([id, path]) => {
      const call = path.at(-1) as Call
      const open = session.waitingFor.find(({ toolCallId }) => toolCallId === id)
      const mine = given.filter(({ key }) => key === id)
      const said = (call.output as { answer?: unknown } | undefined)?.answer
      const accepted = mine.filter(({ outcome }) => outcome === 'ok')
      if (accepted.some(({ value }) => value !== said || call.state !== 'answered'))
        return [
          `${id} was answered ${accepted.map(one => one.value).join(' and ')}, and is ${call.state}: ${said}.`
        ]
      if (call.kind !== 'question') return []
      if (mine.length > 0 && (call.state !== 'open' || accepted.length === 0)) return []
      if (open === undefined) return [`${id} was answered by nobody, and is not waited for any more.`]
      const [first] = path
      return open.deadline === first?.deadline && open.since === first.since
        ? []
        : [`${id} waits since ${open.since} until ${open.deadline}: not what was said when it opened.`]
    })
  },

  /** A tool's effect happens at most once a call; a message is sent out under one key. */
  effects: (operations, _, { effects, delivered }) => {
    const mine = new Set(operations.map(({ key }) => key))
    const paths = effects.filter(path => mine.has(path.slice(path.lastIndexOf('/') + 1)))
    const sent = new Map<string, Set<string>>()
    for (const { key, delivery } of delivered)
      if (mine.has(key)) sent.set(key, (sent.get(key) ?? new Set()).add(delivery))
    return [
      ...twice(paths).map(path => `${path} was asked for more than once.`),
      ...[...sent].filter(([, keys]) => keys.size > 1).map(([key]) => `${key} went out under two keys.`)
    ]
  },

  /** Everything accepted is handled in the end: the model has it once, the other system has it, the stop stopped. */
  unhandled: (operations, session, { delivered }) => {
    const found: string[] = []
    if (session.status === 'running') found.push('The session is still running.')
    const back = new Set(operations.flatMap(({ verb, key }) => (verb === 'take-back' ? [key] : [])))
    const accepted = operations.filter(
      ({ verb, outcome, key }) =>
        outcome === 'ok' && (verb === 'send' || (verb === 'tell' && (session.external || !back.has(key))))
    )
    const sent = new Set(delivered.map(({ key }) => key))
    const had = new Set([...session.prompt, ...session.told.map(({ key }) => key)])
    for (const { key } of accepted) {
      const handled = session.external ? sent.has(key) : had.has(key)
      if (!handled)
        found.push(`${key} was accepted, and ${session.external ? 'not sent on' : 'the model never had it'}.`)
    }
    for (const key of twice(session.prompt)) found.push(`The model has ${key} more than once.`)
    const ended = new Set(
      session.log.flatMap(({ event }) => (event.type === 'status' && event.outcome ? [event.turnId] : []))
    )
    for (const { verb, turnId } of operations)
      if (verb === 'cancel' && turnId !== undefined && !ended.has(turnId))
        found.push(`${turnId} was to stop, and never ended.`)
    return found
  },

  /** The model's history never changes under it: of two prompts of a session one begins with the other. */
  'torn prompts': (_, session, { torn }) => torn.filter(one => one.startsWith(`${session.id}:`)),

  ...toldLooks,
  ...wordLooks
} satisfies Record<string, Look>

/** `ended`: no server ends unless it is killed, whatever becomes of its database and its connections. */
export type Check = keyof typeof looks | 'ended'
export const checks = [...Object.keys(looks), 'ended'] as Check[]

/** Everything that the history was promised and the state does not keep. A pure function of the two. */
export function check(lines: readonly Line[], state: State): Violation[] {
  const operations = lines.filter(line => line.kind === 'operation').sort((a, b) => a.began - b.began)
  const found = state.sessions.flatMap(session => {
    const own = operations.filter(one => one.session === session.id)
    const look = (check: keyof typeof looks) => (looks[check] as Look)(own, session, state, lines)
    return (Object.keys(looks) as (keyof typeof looks)[]).flatMap(check =>
      look(check).map(what => ({ check, session: session.id, what }))
    )
  })
  return [...found, ...state.ended.map(what => ({ check: 'ended' as const, session: '', what }))]
}

function misreadOf({ reader, after, seen }: Followed, cursor: number, log: Map<number, string>): string[] {
  const found: string[] = []
  if (after !== cursor) found.push(`${reader} came back at ${after}, and had seen up to ${cursor}.`)
  let before = after
  for (const [seq, digest] of seen) {
    if (seq !== before + 1) found.push(`${reader} saw ${seq} behind ${before}.`)
    if (log.get(seq) !== digest) found.push(`${reader} saw something else at ${seq} than the log says.`)
    before = seq
  }
  return found
}
