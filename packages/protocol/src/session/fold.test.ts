import type { Call } from '@waystation/protocol/call/call.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LoggedEvent, SessionEvent } from './event.ts'
import { applyEvent, emptyTranscript, type Transcript, transcriptOf } from './fold.ts'
import type { Message } from './message.ts'
import { textOf } from './message-parts.ts'

const at = '2026-01-01T00:00:00.000Z'
const log = (...events: LoggedEvent[]): SessionEvent[] =>
  events.map((event, i) => ({ ...event, seq: i + 1, at }))
const fold = (events: readonly SessionEvent[], from: Transcript = emptyTranscript) =>
  events.reduce(applyEvent, from)
const user = (id: string, text: string, metadata: object = {}): Message => ({
  id,
  role: 'user',
  metadata: { createdAt: at, ...metadata },
  parts: [{ type: 'text', text }]
})
const say = (messageId: string, delta: string): LoggedEvent[] => [
  { type: 'chunk', messageId, turnId: 't', chunk: { type: 'start-step' } },
  { type: 'chunk', messageId, turnId: 't', chunk: { type: 'text-start', id: '0' } },
  { type: 'chunk', messageId, turnId: 't', chunk: { type: 'text-delta', id: '0', delta } },
  { type: 'chunk', messageId, turnId: 't', chunk: { type: 'finish-step' } }
]
const callEvents = (toolCallId: string, messageId: string): LoggedEvent[] => [
  {
    type: 'chunk',
    messageId,
    turnId: 't',
    chunk: { type: 'tool-input-available', toolCallId, toolName: 'ask', input: {} }
  },
  { type: 'call', call: call(toolCallId, messageId) }
]
const call = (toolCallId: string, messageId: string, more: Partial<Call> = {}): Call => ({
  toolCallId,
  toolName: 'ask',
  kind: 'question',
  where: 'approver',
  input: {},
  messageId,
  turnId: 't',
  since: at,
  deadline: at,
  onDeadline: 'declined',
  state: 'open',
  ...more
})

const outOfBandMessage = (more: Partial<OutOfBand> = {}): OutOfBand => ({
  id: 'o1',
  sessionId: 's1',
  timestamp: Date.parse(at),
  source: 'external',
  sourceId: 'ci',
  priority: 'high',
  content: 'Build 7 is red.',
  status: 'visible',
  queuedAt: at,
  visibleAt: at,
  expiresAt: at,
  ...more
})
const injected = outOfBandMessage({ status: 'injected', injectedAt: at, messageId: 'a2' })

const session = log(
  { type: 'message', message: user('u1', 'hello') },
  { type: 'status', status: 'running', turnId: 't' },
  ...say('a1', 'Well.'),
  ...callEvents('c1', 'a1'),
  { type: 'status', status: 'parked', turnId: 't', outcome: 'parked' },
  { type: 'message', message: user('u2', 'later', { queued: 'queue' }) },
  { type: 'message', message: user('u3', 'never', { queued: 'queue' }) },
  { type: 'oob', message: outOfBandMessage() },
  { type: 'chunk', messageId: 'a2', turnId: 't', chunk: { type: 'data-oob', id: 'o1', data: injected } },
  { type: 'oob', message: injected },
  ...say('a2', 'Meanwhile.'),
  { type: 'oob', message: { ...injected, status: 'acknowledged', acknowledgedAt: at, effect: 'I stop.' } },
  { type: 'message', message: user('u2', 'later'), placed: true },
  { type: 'message-removed', messageId: 'u3' },
  { type: 'call', call: call('c1', 'a1', { state: 'answered', output: 'yes', settledAt: at }) },
  { type: 'session', title: 'A talk' },
  { type: 'status', status: 'idle', turnId: 't', outcome: 'done' }
)

test('events become messages in display order, and calls update the messages they belong to', () => {
  const { messages, calls, outOfBand, ...rest } = fold(session)
  expect(messages.map(({ message }) => `${message.id} ${textOf(message)}`)).toEqual([
    'u1 hello',
    'a1 Well.',
    'a2 Meanwhile.',
    'u2 later'
  ])
  expect(messages[1]?.message.parts.at(-1)).toMatchObject({
    toolCallId: 'c1',
    state: 'output-available',
    output: 'yes'
  })
  expect(calls.c1?.state).toBe('answered')
  // The part of an out-of-band message shows its outcome too.
  expect(outOfBand.o1?.status).toBe('acknowledged')
  expect(messages.at(-2)?.message.parts[0]).toMatchObject({
    type: 'data-oob',
    data: { status: 'acknowledged', effect: 'I stop.' }
  })
  expect(rest).toEqual({
    status: 'idle',
    title: 'A talk',
    oobPolicy: emptyTranscript.oobPolicy,
    cursor: session.length
  })
})

test('repeated events change nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), again => {
      const repeated = session.flatMap((event, i) => [
        event,
        ...again.map(n => session[n % (i + 1)] as SessionEvent)
      ])
      expect(fold(repeated)).toEqual(fold(session))
    }),
    { numRuns: 100 }
  )
})

test('a reset replaces the complete state', () => {
  const reset: SessionEvent = {
    type: 'reset',
    seq: 100,
    at,
    cursor: 100,
    messages: [user('u9', 'new life')],
    calls: [call('c9', 'u9')],
    outOfBand: [],
    oobPolicy: { mode: 'off', minPriority: 'high', muted: [] },
    status: 'parked',
    title: 'Anew'
  }
  expect(applyEvent(fold(session), reset)).toEqual(transcriptOf(reset))
  expect(applyEvent(emptyTranscript, reset)).toMatchObject({ cursor: 100, title: 'Anew', status: 'parked' })
})

test('continuing from a stored state gives the same result, regardless of the position', () => {
  for (let cut = 0; cut <= session.length; cut++) {
    const { messages, calls, outOfBand, ...rest } = fold(session.slice(0, cut))
    const stored = JSON.parse(
      JSON.stringify({
        ...rest,
        messages: messages.map(({ message }) => message),
        calls: Object.values(calls),
        outOfBand: Object.values(outOfBand)
      })
    )
    const { messages: continued, ...state } = fold(session.slice(cut), transcriptOf(stored))
    const { messages: whole, ...wholeState } = fold(session)
    expect(
      continued.map(({ message }) => message),
      `cut at ${cut}`
    ).toEqual(whole.map(({ message }) => message))
    expect(state).toEqual(wholeState)
  }
})

test('a settlement is shown if it arrives before or after its message, and ignored for an unknown message', () => {
  const settled: LoggedEvent = { type: 'call', call: call('c1', 'a1', { state: 'answered', output: 'yes' }) }
  const whole: LoggedEvent = {
    type: 'message',
    message: {
      id: 'a1',
      role: 'assistant',
      parts: [{ type: 'tool-ask', toolCallId: 'c1', state: 'input-available', input: {} }]
    }
  }
  for (const events of [log(settled, whole), log(whole, settled)])
    expect(fold(events).messages[0]?.message.parts[0]).toMatchObject({
      state: 'output-available',
      output: 'yes'
    })
  expect(fold(log(settled)).messages).toEqual([])
})

test.each([
  [
    { kind: 'approval', state: 'open' },
    { state: 'approval-requested', approval: { id: 'c1' } }
  ],
  [
    { kind: 'approval', state: 'approved' },
    { state: 'approval-responded', approval: { id: 'c1', approved: true } }
  ],
  [
    { kind: 'approval', state: 'approved', ranAt: at, output: 1 },
    { state: 'output-available', output: 1 }
  ],
  [
    { kind: 'approval', state: 'denied', reason: 'no' },
    { state: 'output-denied', approval: { approved: false, reason: 'no' } }
  ],
  [
    { state: 'declined', reason: 'not now' },
    { state: 'output-error', errorText: 'not now' }
  ],
  [
    { state: 'expired', errorText: 'No answer.' },
    { state: 'output-error', errorText: 'No answer.' }
  ],
  [{ state: 'cancelled' }, { state: 'output-error', errorText: 'cancelled' }],
  [
    { state: 'failed', errorText: 'Broke.' },
    { state: 'output-error', errorText: 'Broke.' }
  ]
] as [Partial<Call>, object][])('a call in the state %j is shown as such', (state, shown) => {
  const events = log(...callEvents('c1', 'a1').slice(0, 1), { type: 'call', call: call('c1', 'a1', state) })
  expect(fold(events).messages[0]?.message.parts[0]).toMatchObject(shown)
})

test('22 B2: an update for a message of an earlier page does not add it after the newest one', () => {
  const minute = (n: number) => ({ createdAt: `2026-01-01T00:0${n}:00.000Z` })
  const page = fold(log({ type: 'message', message: user('second', 'b', minute(2)) }))
  const shows = (message: Message, placed?: true) =>
    applyEvent(page, { type: 'message', message, seq: 9, at, ...(placed ? { placed } : {}) }).messages.map(
      folded => folded.message.id
    )
  expect(shows(user('first', 'a', minute(1)))).toEqual(['second'])
  expect(shows(user('first', 'a', minute(1)), true)).toEqual(['second', 'first'])
  expect(shows(user('third', 'c', minute(3)))).toEqual(['second', 'third'])
})

test('an unknown event type only moves the cursor', () => {
  const odd = { type: 'something-new', seq: 99, at } as unknown as SessionEvent
  expect(applyEvent(fold(session), odd)).toEqual({ ...fold(session), cursor: 99 })
})

test('001-21: messages that were removed disappear at any cursor with their calls, and later messages stay', () => {
  const undone = log(
    { type: 'message', message: user('u1', 'hello') },
    ...say('a1', 'Well.'),
    { type: 'message', message: user('u2', 'and?') },
    ...say('a2', 'I ask.'),
    ...callEvents('c2', 'a2'),
    { type: 'oob', message: outOfBandMessage({ status: 'injected', injectedAt: at, messageId: 'a2' }) },
    { type: 'call', call: call('c2', 'a2', { state: 'cancelled', settledAt: at }) },
    { type: 'messages-taken-out', messageIds: ['u2', 'a2'], why: 'edit', by: 'Ann' },
    { type: 'message', message: user('u3', 'and then?') },
    ...say('a3', 'Then this.')
  )
  const whole = fold(undone)
  expect(whole.messages.map(({ message }) => message.id)).toEqual(['u1', 'a1', 'u3', 'a3'])
  expect(whole.calls).toEqual({})
  expect(whole.outOfBand).toEqual({})
  // A client that reconnects at any point sees the same, also if a compacted message replaced its chunks in the log.
  for (let cursor = 0; cursor <= undone.length; cursor++) {
    const earlier = fold(undone.slice(0, cursor))
    expect(fold(undone, earlier), `${cursor}`).toEqual(whole)
  }
  const lastOfA2 = undone.findLastIndex(event => event.type === 'chunk' && event.messageId === 'a2')
  const compacted = undone.flatMap((event, index): SessionEvent[] => {
    if (event.type !== 'chunk' || event.messageId !== 'a2') return [event]
    const message: Message = { id: 'a2', role: 'assistant', parts: [{ type: 'text', text: 'I ask.' }] }
    return index === lastOfA2 ? [{ type: 'message', message, seq: event.seq, at }] : []
  })
  expect(fold(compacted).messages.map(({ message }) => message.id)).toEqual(['u1', 'a1', 'u3', 'a3'])
})
