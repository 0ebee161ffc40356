import type { Call } from '@waystation/protocol/call/call.ts'
import type { OobPriority, OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { LoggedEvent } from '@waystation/protocol/session/event.ts'
import { withDelivery } from '@waystation/protocol/session/message-parts.ts'
import { describe, expect, test } from 'vitest'
import { workerDied } from '#lib/engine/worker/crashes.ts'
import { type Check, check, checks } from './check.ts'
import type { Line, Operation, ReaderConnection } from './history.ts'
import type { EndOfSession, State } from './state.ts'

const at = '2026-01-01T00:00:00.000Z'

const message = (id: string, key: string): LoggedEvent => ({
  type: 'message',
  message: { id, role: 'user', parts: [{ type: 'text', text: `talk ${key} in s1` }] }
})
const status = (turnId: string, outcome?: 'done' | 'cancelled'): LoggedEvent => ({
  type: 'status',
  status: outcome === undefined ? 'running' : 'idle',
  turnId,
  ...(outcome === undefined ? {} : { outcome })
})
const question = (id: string, more: Partial<Call> = {}): Call => ({
  toolCallId: id,
  toolName: 'ask-question',
  kind: 'question',
  where: 'approver',
  input: { question: 'Tea?' },
  messageId: 'm9',
  turnId: 't2',
  since: at,
  deadline: '2026-01-08T00:00:00.000Z',
  onDeadline: 'declined',
  state: 'open',
  ...more
})
const call = (id: string, more: Partial<Call> = {}): LoggedEvent => ({
  type: 'call',
  call: question(id, more)
})

const sent = (n: number, key: string, more: Partial<Operation> = {}): Operation => ({
  kind: 'operation',
  verb: 'send',
  session: 's1',
  sender: 'ann',
  key,
  mode: 'queue',
  startedAt: n * 10,
  ended: n * 10 + 5,
  attempts: 1,
  outcome: 'ok',
  messageId: `m-${key}`,
  ...more
})

const oob = (key: string, status: OutOfBand['status'], priority: OobPriority = 'normal'): OutOfBand => ({
  id: `oob_${key}`,
  sessionId: 's1',
  timestamp: Date.parse(at),
  source: 'external',
  sourceId: 'eve',
  priority,
  content: `tell ${key} in s1`,
  status,
  queuedAt: at,
  expiresAt: at,
  ...(status === 'acknowledged' ? { effect: key } : {})
})
const oobLogged = (...about: Parameters<typeof oob>): LoggedEvent => ({ type: 'oob', message: oob(...about) })
const chunkLogged = (chunk: Extract<LoggedEvent, { type: 'chunk' }>['chunk']): LoggedEvent => ({
  type: 'chunk',
  messageId: 'm9',
  turnId: 't2',
  chunk
})
const textEvents = [
  chunkLogged({ type: 'text-start', id: 'x' }),
  chunkLogged({ type: 'text-delta', id: 'x', delta: 'let me look ' }),
  chunkLogged({ type: 'text-delta', id: 'x', delta: 'that up for you' }),
  chunkLogged({ type: 'text-end', id: 'x' })
]
const fetched = (id: string, key: string, more: Partial<Call>): LoggedEvent =>
  call(id, {
    toolName: 'web-fetch',
    kind: 'server',
    where: 'server',
    input: { url: `http://site/${key}` },
    ...more
  })
const superseded = { state: 'failed', errorText: 'Superseded by critical input: it did not run.' } as const

type Good = { lines: Line[]; state: State; session: EndOfSession }

/**
 * A run without violations. One sender has two accepted messages, two of unknown outcome (only one arrived) and a
 * rejected one. There are a fetched page, an answered question, an open question, a stop and a reader with two
 * connections. Three out-of-band messages were injected, one of them critical, so a call did not run. One was
 * cancelled, one was cancelled too late and one was rejected.
 */
function good(): Good {
  const events: LoggedEvent[] = [
    message('m-a1', 'a1'),
    status('t1'),
    message('m-a2', 'a2'),
    status('t1', 'done'),
    status('t2'),
    call('c1'),
    call('c2'),
    message('m-a3', 'a3'),
    call('c1', { state: 'answered', output: { answer: 'yes' } }),
    ...textEvents,
    status('t2', 'cancelled'),
    oobLogged('o1', 'visible'),
    oobLogged('o2', 'visible'),
    oobLogged('o3', 'visible', 'critical'),
    oobLogged('o4', 'visible'),
    oobLogged('o4', 'cancelled'),
    fetched('c3', 'a2', { state: 'open' }),
    fetched('c3', 'a2', superseded),
    oobLogged('o3', 'injected', 'critical'),
    oobLogged('o1', 'injected'),
    oobLogged('o2', 'injected'),
    oobLogged('o2', 'acknowledged')
  ]
  const log = events.map((event, n) => ({ seq: n + 1, at, digest: `d${n + 1}`, event }))
  const session: EndOfSession = {
    id: 's1',
    external: false,
    status: 'parked',
    waitingFor: [question('c2')],
    log,
    prompt: ['a1', 'a2', 'a3'],
    outOfBandInPrompt: ['o3', 'o1', 'o2'].map(key => ({ id: `oob_${key}`, key })),
    outOfBand: [
      oob('o1', 'injected'),
      oob('o2', 'acknowledged'),
      oob('o3', 'injected', 'critical'),
      oob('o4', 'cancelled')
    ],
    waited: []
  }
  const answer = { verb: 'answer', sender: 'ben', key: 'c1', value: 'yes' } as const
  const oobOperation = (n: number, key: string, more: Partial<Operation> = {}) =>
    sent(n, key, {
      verb: 'send-oob',
      sender: 'eve',
      mode: undefined,
      priority: 'normal',
      messageId: `oob_${key}`,
      ...more
    })
  const followed = (from: number, to: number): ReaderConnection => ({
    kind: 'followed',
    session: 's1',
    reader: 'cat',
    after: from,
    received: log.slice(from, to).map(({ seq, digest }) => [seq, digest]),
    startedAt: from,
    ended: to
  })
  return {
    lines: [
      sent(1, 'a1'),
      sent(2, 'a2'),
      sent(3, 'a3', { outcome: 'unknown', messageId: undefined }),
      sent(4, 'a4', { outcome: 'unknown', messageId: undefined }),
      sent(5, 'a5', { outcome: 'failed', messageId: undefined }),
      sent(6, 'c1', answer),
      sent(7, 'stop', { verb: 'cancel', turnId: 't2' }),
      oobOperation(8, 'o1'),
      oobOperation(9, 'o2'),
      oobOperation(10, 'o3', { priority: 'critical' }),
      oobOperation(11, 'o4'),
      oobOperation(12, 'o4', { verb: 'cancel-oob' }),
      oobOperation(13, 'o2', { verb: 'cancel-oob', outcome: 'failed' }),
      oobOperation(14, 'o5', { outcome: 'failed', messageId: undefined }),
      followed(0, 4),
      followed(4, log.length)
    ],
    state: { sessions: [session], effects: ['/a1'], delivered: [], torn: [], ended: [] },
    session
  }
}

/** Renumbers the log after a change, and updates what the readers saw. */
function renumber({ session, lines }: Good): void {
  for (const [n, logged] of session.log.entries()) Object.assign(logged, { seq: n + 1, digest: `d${n + 1}` })
  const end = session.log.length
  const seen = session.log.map(({ seq, digest }) => [seq, digest] as [number, string])
  const readers = lines.filter(line => line.kind === 'followed')
  Object.assign(readers[0] as ReaderConnection, { seen: seen.slice(0, 4) })
  Object.assign(readers[1] as ReaderConnection, { seen: seen.slice(4, end) })
}
const removeMessage = (from: Good, key: string) => {
  from.session.log.splice(
    from.session.log.findIndex(({ event }) => event.type === 'message' && event.message.id === `m-${key}`),
    1
  )
  renumber(from)
}
const addEvents = (to: Good, ...events: LoggedEvent[]) => {
  for (const event of events) to.session.log.push({ seq: 0, at, digest: '', event })
  renumber(to)
}
const reader = ({ lines }: Good, n: number) =>
  lines.filter(line => line.kind === 'followed')[n] as ReaderConnection
const oobEvent = ({ session }: Good, key: string, status: string) =>
  session.log.find(
    ({ event }) =>
      event.type === 'oob' && event.message.id === `oob_${key}` && event.message.status === status
  )?.event as { type: 'oob'; message: OutOfBand }
const removeOob = (from: Good, key: string) => {
  from.session.log = from.session.log.filter(
    ({ event }) => event.type !== 'oob' || event.message.id !== `oob_${key}`
  )
  from.session.outOfBandInPrompt = from.session.outOfBandInPrompt.filter(oobMessage => oobMessage.key !== key)
  renumber(from)
}
const lateCancel = (key: string) =>
  sent(20, key, { verb: 'cancel-oob', sender: 'ben', outcome: 'failed', messageId: undefined })
const change = ({ lines }: Good, key: string, to: Partial<Operation>) =>
  void Object.assign(lines.find(line => line.kind === 'operation' && line.key === key) ?? {}, to)

/** A defect: its name, the check that must report it, and the change to a good run that causes it. */
const defects: [name: string, seen: Check, spoil: (run: Good) => void][] = [
  ['an acknowledged message is missing', 'lost', run => removeMessage(run, 'a2')],
  ['a receipt names another message', 'lost', run => change(run, 'a1', { messageId: 'm-x' })],
  ['an acknowledged message was stored twice', 'doubled', run => addEvents(run, message('m-other', 'a1'))],
  [
    'a message of unknown outcome was stored twice',
    'doubled',
    run => addEvents(run, message('m-other', 'a3'))
  ],
  ['a rejected message was stored', 'uncalled', run => addEvents(run, message('m-a5', 'a5'))],
  ['a message was stored that no client sent', 'uncalled', run => addEvents(run, message('m-z', 'z'))],
  [
    'two messages of one sender were reordered',
    'reordered',
    ({ session: { log } }) => {
      const [first, second] = [log[0], log[2]]
      if (first && second) [first.event, second.event] = [second.event, first.event]
    }
  ],
  [
    'a queued message was handled before an earlier one',
    'reordered',
    run => {
      addEvents(run, { ...message('m-a2', 'a2'), placed: true } as LoggedEvent)
      addEvents(run, { ...message('m-a1', 'a1'), placed: true } as LoggedEvent)
    }
  ],
  ['a reader missed an event', 'misread', run => void reader(run, 0).received.splice(1, 1)],
  [
    'a reader received an event twice',
    'misread',
    run => void reader(run, 0).received.splice(1, 0, [1, 'd1'])
  ],
  [
    'a reader received two events in the wrong order',
    'misread',
    run => void reader(run, 1).received.reverse()
  ],
  [
    'a reader received an event that differs from the log',
    'misread',
    run => reader(run, 1).received.splice(0, 1, [5, 'x'])
  ],
  ['a reader never received the last event', 'misread', run => void reader(run, 1).received.pop()],
  ['the log has a gap', 'gap', ({ session }) => void session.log.splice(1, 1)],
  ['a turn ended twice', 'turn ends', run => addEvents(run, status('t1', 'done'))],
  ['a turn never ended', 'turn ends', run => addEvents(run, status('t3'))],
  ['a call was settled twice', 'call ends', run => addEvents(run, call('c1', { state: 'declined' }))],
  ['a settled call was opened again', 'call ends', run => addEvents(run, call('c1'))],
  ['the accepted answer is not the stored one', 'answers', run => change(run, 'c1', { value: 'no' })],
  ['an open call was destroyed', 'answers', ({ session }) => void session.waitingFor.pop()],
  [
    'an open call lost its deadline',
    'answers',
    ({ session }) => void Object.assign(session.waitingFor[0] ?? {}, { deadline: at })
  ],
  ['a tool had its effect twice', 'effects', ({ state }) => void state.effects.push('/a1')],
  [
    'a message was forwarded under two keys',
    'effects',
    ({ state }) => void state.delivered.push({ key: 'a1', delivery: 'd1' }, { key: 'a1', delivery: 'd2' })
  ],
  ['an accepted message never reached the model', 'unhandled', ({ session }) => void session.prompt.shift()],
  ['a message reached the model twice', 'unhandled', ({ session }) => void session.prompt.push('a1')],
  [
    'a session never became idle',
    'unhandled',
    ({ session }) => void Object.assign(session, { status: 'running' })
  ],
  ['an accepted stop stopped nothing', 'unhandled', run => change(run, 'stop', { turnId: 't9' })],
  ['an accepted out-of-band message is missing', 'lost', run => removeOob(run, 'o1')],
  [
    'an out-of-band message was stored twice',
    'doubled',
    run => addEvents(run, { type: 'oob', message: { ...oob('o1', 'visible'), id: 'oob_other' } })
  ],
  [
    'a rejected out-of-band message was stored',
    'uncalled',
    run => addEvents(run, oobLogged('o5', 'visible'))
  ],
  [
    'two out-of-band messages of equal priority were injected in the wrong order',
    'reordered',
    run => {
      Object.assign(oobEvent(run, 'o1', 'injected'), oobLogged('o2', 'injected'))
      Object.assign(run.session.log.at(-2)?.event ?? {}, oobLogged('o1', 'injected'))
    }
  ],
  [
    'an out-of-band message was forwarded under two keys',
    'effects',
    ({ state }) => void state.delivered.push({ key: 'o1', delivery: 'd1' }, { key: 'o1', delivery: 'd2' })
  ],
  [
    'an accepted out-of-band message was never injected',
    'unhandled',
    ({ session }) => {
      session.log = session.log.filter(
        ({ event }) => event.type !== 'oob' || event.message.status !== 'injected'
      )
      session.outOfBandInPrompt = []
    }
  ],
  ['a receipt goes backwards', 'receipts', run => addEvents(run, oobLogged('o2', 'injected'))],
  [
    'an expired out-of-band message was injected',
    'receipts',
    run => addEvents(run, oobLogged('o1', 'expired'))
  ],
  [
    'the list of messages differs from the log',
    'receipts',
    ({ session }) => void Object.assign(session.outOfBand[0] ?? {}, { status: 'visible' })
  ],
  [
    'an acknowledgement has the effect of another message',
    'receipts',
    run => void Object.assign(oobEvent(run, 'o2', 'acknowledged').message, { effect: 'o1' })
  ],
  [
    'the prompt has an out-of-band message twice',
    'injected',
    ({ session }) => void session.outOfBandInPrompt.push({ id: 'oob_o1', key: 'o1' })
  ],
  [
    'the prompt has a cancelled message',
    'injected',
    ({ session }) => void session.outOfBandInPrompt.push({ id: 'oob_o4', key: 'o4' })
  ],
  [
    'a message with the receipt “injected” is not in the prompt',
    'injected',
    ({ session }) => void session.outOfBandInPrompt.pop()
  ],
  [
    'the prompt has the messages in a different order than the receipts',
    'injected',
    ({ session }) => void session.outOfBandInPrompt.reverse()
  ],
  [
    'a cancelled message was injected',
    'cancelled',
    run => void Object.assign(oobEvent(run, 'o4', 'cancelled').message, { status: 'injected' })
  ],
  [
    'a message that could not be cancelled was never injected',
    'cancelled',
    ({ lines }) => lines.push(lateCancel('o4'))
  ],
  [
    'a message was cancelled without a request',
    'cancelled',
    ({ lines }) =>
      void lines.splice(
        lines.findIndex(line => line.kind === 'operation' && line.verb === 'cancel-oob'),
        1
      )
  ],
  [
    'a critical message waited in an idle session',
    'urgent',
    ({ session }) => void session.waited.push(oob('o3', 'visible', 'critical'))
  ],
  ['critical input settled a question', 'superseded', run => addEvents(run, call('c2', superseded))],
  ['a superseded call had its effect', 'superseded', ({ state }) => void state.effects.push('/a2')],
  ['a call was superseded by nothing critical', 'superseded', run => removeOob(run, 'o3')],
  ['text is repeated', 'text', run => addEvents(run, ...textEvents.slice(0, 2), ...textEvents.slice(1))],
  ['text is missing', 'text', run => addEvents(run, ...textEvents.slice(0, 2), ...textEvents.slice(3))],
  [
    'a finished step has only part of the text',
    'text',
    run =>
      addEvents(run, ...textEvents.slice(0, 2), ...textEvents.slice(3), chunkLogged({ type: 'finish-step' }))
  ],
  ['text follows its end', 'text', run => addEvents(run, ...textEvents, ...textEvents.slice(1, 2))],
  ['a server ended without being killed', 'ended', ({ state }) => void state.ended.push('worker 0')],
  ['a sent prompt changed', 'torn prompts', ({ state }) => void state.torn.push('s1: message 3')]
]

describe('checks of the chaos suite', () => {
  test('a run without broken guarantees has no violations', () => {
    const { lines, state } = good()
    expect(check(lines, state)).toEqual([])
  })

  test('a critical message can wait after a turn whose step kills workers', () => {
    const run = good()
    run.session.waited.push(oob('o3', 'visible', 'critical'))
    const error = { code: workerDied, message: 'The step is no longer retried.', retryable: false }
    addEvents(run, { type: 'status', status: 'failed', outcome: 'failed', turnId: 't9', error })
    expect(check(run.lines, run.state).map(({ check }) => check)).not.toContain('urgent')
  })

  test('a message whose delivery state changes later is not a duplicate', () => {
    const run = good()
    const [first] = run.session.log.flatMap(({ event }) => (event.type === 'message' ? [event.message] : []))
    if (first === undefined) throw new Error('The good run has no message.')
    addEvents(run, {
      type: 'message',
      message: { ...first, parts: withDelivery(first, { state: 'delivered' }) }
    })
    expect(check(run.lines, run.state).map(({ check }) => check)).not.toContain('doubled')
  })

  test.each(defects)('%s: the check "%s" reports it', (_, seen, spoil) => {
    const run = good()
    spoil(run)
    expect(check(run.lines, run.state).map(({ check }) => check)).toContain(seen)
  })

  test('every check has a defect that it reports', () => {
    expect(new Set(defects.map(([, seen]) => seen))).toEqual(new Set(checks))
  })

  test('an accepted message that was never delivered to the external agent is unhandled', () => {
    const { lines, state, session } = good()
    session.external = true
    state.delivered.push({ key: 'a1', delivery: 'd1' })
    expect(check(lines, state)).toContainEqual({
      check: 'unhandled',
      session: 's1',
      what: 'a2 was accepted, and not sent on.'
    })
  })
})
