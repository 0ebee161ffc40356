import type { Call } from '@waystation/protocol/call/call.ts'
import { deliveryOf, textOf } from '@waystation/protocol/session/message-parts.ts'
import { injectedAt, oobsOf, outOfBandChecks } from './check-out-of-band.ts'
import { textChecks } from './check-text.ts'
import type { Line, Operation, ReaderConnection } from './history.ts'
import { keyOf, twice } from './keys.ts'
import type { EndOfSession, State } from './state.ts'

/**
 * A broken guarantee. The check is `stored` if the database itself is inconsistent
 * (`tests/support/servers/expect-valid-sessions.ts`).
 */
export type Violation = { check: Check | 'stored'; session: string; what: string }

type CheckFunction = (
  operations: Operation[],
  session: EndOfSession,
  state: State,
  lines: readonly Line[]
) => string[]

/** An arrived message. `placedAt` is the seq at which the agent received it. */
type Arrival = { key: string; id: string; seq: number; placedAt: number }

/**
 * Returns the messages and out-of-band messages of a session by key, in order of arrival. A later placement or
 * change of delivery state updates the same entry.
 */
function arrivalsOf(session: EndOfSession): Arrival[] {
  const messages: Arrival[] = oobsOf(session).map(message => ({
    ...message,
    placedAt: injectedAt(message) ?? message.seq
  }))
  for (const { seq, event } of session.log) {
    if (event.type !== 'message') continue
    const existing = messages.find(({ id }) => id === event.message.id)
    if (event.placed && existing) existing.placedAt = seq
    else if (existing && deliveryOf(event.message) !== undefined) continue
    else messages.push({ key: keyOf(textOf(event.message)), id: event.message.id, seq, placedAt: seq })
  }
  return messages
}

const sendsMessage = ({ verb }: Operation) => verb === 'send' || verb === 'callback' || verb === 'send-oob'

/** Returns the states of each call by its ID. Repeated states (a warning, an extension) appear once. */
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
 * The checks, by guarantee. A check receives the operations of one session, the session, the whole state and the
 * whole history. It returns a sentence for each problem.
 */
const sessionChecks = {
  /** An accepted message is in the log under the ID from its receipt. */
  lost: (operations, session) => {
    const idByKey = new Map(arrivalsOf(session).map(({ key, id }) => [key, id]))
    return operations.filter(sendsMessage).flatMap(({ outcome, key, messageId, verb }) => {
      if (outcome !== 'ok') return []
      if (!idByKey.has(key)) return [`The ${verb} ${key} was accepted, and is not in the log.`]
      return idByKey.get(key) === messageId
        ? []
        : [`${key} was accepted as ${messageId}, and is another message.`]
    })
  },

  /** Each message is in the log at most once, however often the client retried it and whichever outcome it had. */
  doubled: (_, session) =>
    twice(arrivalsOf(session).map(({ key }) => key)).map(key => `${key} is in the log more than once.`),

  /** A rejected message is not in the log, and neither is a message that no client sent. */
  uncalled: (operations, session) => {
    const possible = new Set(
      operations
        .filter(operation => sendsMessage(operation) && operation.outcome !== 'failed')
        .map(({ key }) => key)
    )
    return arrivalsOf(session)
      .filter(({ key }) => !possible.has(key))
      .map(({ key, id }) => `${key || id} is in the log, and nobody was told that it was accepted.`)
  },

  /**
   * Accepted messages of one sender arrive in the order in which they were sent, and queued ones are placed in that
   * order. The same applies to out-of-band messages of equal priority.
   */
  reordered: (operations, session) => {
    const arrivals = new Map(arrivalsOf(session).map(message => [message.key, message]))
    const problems: string[] = []
    const last = new Map<string, { key: string; seq: number }>()
    const checkOrder = (sequence: string, key: string, seq: number) => {
      const before = last.get(sequence)
      if (before !== undefined && before.seq > seq) problems.push(`${key} came before ${before.key}.`)
      else last.set(sequence, { key, seq })
    }
    for (const { sender, key, mode, priority } of operations.filter(
      operation => sendsMessage(operation) && operation.outcome === 'ok'
    )) {
      const message = arrivals.get(key)
      if (message === undefined) continue
      checkOrder(`${sender} in`, key, message.seq)
      if (mode === 'queue') checkOrder(`${sender} taken`, key, message.placedAt)
      if (priority !== undefined && session.outOfBandInPrompt.some(({ id }) => id === message.id))
        checkOrder(`${sender} told ${priority}`, key, message.placedAt)
    }
    return problems
  },

  /** Each reader saw the whole log: without gaps, repetitions, reordering or changes. */
  misread: (_, session, __, lines) => {
    const problems: string[] = []
    const log = new Map(session.log.map(({ seq, digest }) => [seq, digest]))
    const cursors = new Map<string, number>()
    for (const line of lines) {
      if (line.kind !== 'followed' || line.session !== session.id) continue
      problems.push(...findReadErrors(line, cursors.get(line.reader) ?? 0, log))
      cursors.set(line.reader, line.received.at(-1)?.[0] ?? line.after)
    }
    const end = session.log.at(-1)?.seq ?? 0
    for (const [reader, cursor] of cursors)
      if (cursor !== end)
        problems.push(`${reader} saw everything up to ${cursor}, and the log ends at ${end}.`)
    return problems
  },

  /** The log is numbered without gaps from 1. */
  gap: (_, session) =>
    session.log.flatMap(({ seq }, n) => {
      const before = session.log[n - 1]?.seq ?? 0
      return seq === before + 1 ? [] : [`${seq} stands behind ${before}.`]
    }),

  /** Every turn that started ended exactly once. */
  'turn ends': (_, session) => {
    const ends = new Map<string, number>()
    for (const { event } of session.log)
      if (event.type === 'status' && event.turnId !== undefined)
        ends.set(event.turnId, (ends.get(event.turnId) ?? 0) + (event.outcome === undefined ? 0 : 1))
    return [...ends].filter(([, n]) => n !== 1).map(([turnId, n]) => `${turnId} ended ${n} times.`)
  },

  /** Every call is settled at most once. An approved call can still fail when it runs. */
  'call ends': (_, session) =>
    [...pathsOf(session)].flatMap(([id, calls]) => {
      const path = calls.map(({ state }) => state)
      const settled = path.slice(path[0] === 'open' ? 1 : 0).join(' ')
      return /^(approved failed|\S*)$/.test(settled) && !path.includes('open', 1)
        ? []
        : [`${id} was ${path.join(', then ')}.`]
    }),

  /**
   * An accepted answer is the recorded answer of its call, and there is only one. A call without an answer is still
   * pending.
   */
  answers: (operations, session) => {
    const answers = operations.filter(({ verb, outcome }) => verb === 'answer' && outcome !== 'failed')
    return [...pathsOf(session)].flatMap(([id, path]) => {
      const call = path.at(-1) as Call
      const open = session.waitingFor.find(({ toolCallId }) => toolCallId === id)
      const own = answers.filter(({ key }) => key === id)
      const recorded = (call.output as { answer?: unknown } | undefined)?.answer
      const accepted = own.filter(({ outcome }) => outcome === 'ok')
      if (accepted.some(({ value }) => value !== recorded || call.state !== 'answered'))
        return [
          `${id} was answered ${accepted.map(operation => operation.value).join(' and ')}, and is ${call.state}: ${recorded}.`
        ]
      if (call.kind !== 'question') return []
      if (own.length > 0 && (call.state !== 'open' || accepted.length === 0)) return []
      if (open === undefined) return [`${id} was answered by nobody, and is not waited for any more.`]
      const [first] = path
      return open.deadline === first?.deadline && open.since === first.since
        ? []
        : [`${id} waits since ${open.since} until ${open.deadline}: not what was said when it opened.`]
    })
  },

  /** A tool has its effect at most once per call, and a message is delivered under one key only. */
  effects: (operations, _, { effects, delivered }) => {
    const keys = new Set(operations.map(({ key }) => key))
    const paths = effects.filter(path => keys.has(path.slice(path.lastIndexOf('/') + 1)))
    const sent = new Map<string, Set<string>>()
    for (const { key, delivery } of delivered)
      if (keys.has(key)) sent.set(key, (sent.get(key) ?? new Set()).add(delivery))
    return [
      ...twice(paths).map(path => `${path} was asked for more than once.`),
      ...[...sent].filter(([, keys]) => keys.size > 1).map(([key]) => `${key} went out under two keys.`)
    ]
  },

  /**
   * Every accepted operation completes: the model or the external agent has the message once, and a cancelled turn
   * has ended.
   */
  unhandled: (operations, session, { delivered }) => {
    const problems: string[] = []
    if (session.status === 'running') problems.push('The session is still running.')
    const cancelledKeys = new Set(operations.flatMap(({ verb, key }) => (verb === 'cancel-oob' ? [key] : [])))
    const accepted = operations.filter(
      ({ verb, outcome, key }) =>
        outcome === 'ok' &&
        (verb === 'send' || (verb === 'send-oob' && (session.external || !cancelledKeys.has(key))))
    )
    const sent = new Set(delivered.map(({ key }) => key))
    const inPrompt = new Set([...session.prompt, ...session.outOfBandInPrompt.map(({ key }) => key)])
    for (const { key } of accepted) {
      const handled = session.external ? sent.has(key) : inPrompt.has(key)
      if (!handled)
        problems.push(
          `${key} was accepted, and ${session.external ? 'not sent on' : 'the model never had it'}.`
        )
    }
    for (const key of twice(session.prompt)) problems.push(`The model has ${key} more than once.`)
    const ended = new Set(
      session.log.flatMap(({ event }) => (event.type === 'status' && event.outcome ? [event.turnId] : []))
    )
    for (const { verb, turnId } of operations)
      if (verb === 'cancel' && turnId !== undefined && !ended.has(turnId))
        problems.push(`${turnId} was to stop, and never ended.`)
    return problems
  },

  /** The history of the model is append-only: of two prompts of a session, one starts with the other. */
  'torn prompts': (_, session, { torn }) => torn.filter(entry => entry.startsWith(`${session.id}:`)),

  ...outOfBandChecks,
  ...textChecks
} satisfies Record<string, CheckFunction>

/** `ended`: a server ends only if it is killed, even if it loses its database or its connections. */
export type Check = keyof typeof sessionChecks | 'ended'
export const checks = [...Object.keys(sessionChecks), 'ended'] as Check[]

/** Returns each violation of the guarantees. A pure function of the history and the state. */
export function check(lines: readonly Line[], state: State): Violation[] {
  const operations = lines.filter(line => line.kind === 'operation').sort((a, b) => a.startedAt - b.startedAt)
  const violations = state.sessions.flatMap(session => {
    const own = operations.filter(operation => operation.session === session.id)
    const run = (check: keyof typeof sessionChecks) =>
      (sessionChecks[check] as CheckFunction)(own, session, state, lines)
    return (Object.keys(sessionChecks) as (keyof typeof sessionChecks)[]).flatMap(check =>
      run(check).map(what => ({ check, session: session.id, what }))
    )
  })
  return [...violations, ...state.ended.map(what => ({ check: 'ended' as const, session: '', what }))]
}

function findReadErrors(
  { reader, after, received }: ReaderConnection,
  cursor: number,
  log: Map<number, string>
): string[] {
  const problems: string[] = []
  if (after !== cursor) problems.push(`${reader} came back at ${after}, and had seen up to ${cursor}.`)
  let before = after
  for (const [seq, digest] of received) {
    if (seq !== before + 1) problems.push(`${reader} saw ${seq} behind ${before}.`)
    if (log.get(seq) !== digest) problems.push(`${reader} saw something else at ${seq} than the log says.`)
    before = seq
  }
  return problems
}
