import { foldedMessage } from '@waystation/protocol/session/apply-chunk.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { emptyTranscript, type Transcript, transcriptOf } from '@waystation/protocol/session/fold.ts'
import type { Message, MessagePart } from '@waystation/protocol/session/message.ts'
import type { ListedPrompt } from '@waystation/protocol/session/prompt.ts'
import { expect, test } from 'vitest'
import { rowsOf } from '#components/session/transcript/rows/rows.ts'
import { deliveries, states } from '#tests/browser/fixtures/states.ts'
import { type Axis, axesOf, barOn, breakWidth } from './trace-axis.ts'
import { eventsByNode } from './trace-events.ts'
import { linesOf, matcherOf, unfoldedTo } from './trace-lines.ts'
import type { Span, TraceNode } from './trace-node.ts'
import { traceOf } from './trace-of.ts'

const second = 1000
const day = 86_400 * second
const nothing = { events: [], prompts: [], deliveries: {} }
const traceOfState = (transcript: Transcript) => traceOf({ transcript, ...nothing })

const node = (id: string, children: TraceNode[] = [], span?: Span): TraceNode => ({
  id,
  kind: 'turn',
  name: id,
  note: '',
  row: id,
  at: span?.start ?? children[0]?.at ?? 0,
  children,
  ...(span === undefined ? {} : { span })
})
const step = (start: number, end?: number) =>
  node(`step-${start}`, [], { start, tone: 'model', ...(end === undefined ? {} : { end }) })
const wait = (start: number, end: number): TraceNode => ({
  ...node(`wait-${start}`, [], { start, end, tone: 'settled' }),
  kind: 'wait'
})
const at = { now: 10 * day, room: 400 }
const axisOf = (turn: TraceNode, room: typeof at) => axesOf([turn], room).get(turn.id) as Axis

test('waits of six seconds and of two days are both drawn as a break of one width, with their length', () => {
  for (const length of [6 * second, 2 * day]) {
    const { breaks } = axisOf(
      node('turn', [step(0, 2000), wait(2000, 2000 + length), step(2000 + length, 4000 + length)]),
      at
    )
    expect(breaks).toEqual([{ x: (400 - breakWidth) / 2, width: breakWidth, ms: length }])
  }
})

test('a wait of at most five seconds is drawn to scale, without a break', () => {
  const axis = axisOf(node('turn', [step(0, 1000), wait(1000, 6000), step(6000, 7000)]), at)
  expect(axis.breaks).toEqual([])
  const [first, second] = [barOn(axis, { start: 0, end: 1000 }), barOn(axis, { start: 1000, end: 6000 })]
  expect(second.width / first.width).toBeCloseTo(5)
})

test('a turn with many long pauses still fits into its axis, and no bar disappears', () => {
  const steps = Array.from({ length: 40 }, (_, index) => step(index * day, index * day + second))
  const axis = axisOf(node('turn', steps), at)
  const bars = steps.map(({ span }) => barOn(axis, { start: span?.start ?? 0, end: span?.end ?? 0 }))
  expect(bars.every(({ width }) => width >= 3)).toBe(true)
  expect(axis.xOf(40 * day)).toBeCloseTo(400)
  expect(axis.breaks).toHaveLength(39)
})

test('all turns have one scale, so that the bars of a short turn are short', () => {
  const [short, long] = [node('short', [step(0, 1000)]), node('long', [step(0, 9000)])]
  const axes = axesOf([short, long], at)
  const widthOf = (id: string, end: number) => barOn(axes.get(id) as Axis, { start: 0, end }).width
  expect(widthOf('long', 9000)).toBeCloseTo(400)
  expect(widthOf('short', 1000)).toBeLessThan(60)
})

test('turns are counted once all messages are loaded', () => {
  const transcript = transcriptOf(states.both.snapshot)
  const named = (whole: boolean) => traceOf({ transcript, ...nothing, whole }).map(({ name }) => name)
  expect(named(true)).toEqual(['Turn 1', 'Turn 2', 'Turn 3'])
  expect(new Set(named(false))).toEqual(new Set(['Turn']))
})

test('a running step ends now', () => {
  const axis = axisOf(node('turn', [step(0, 1000), step(1000)]), { now: 4000, room: 400 })
  expect(axis.xOf(4000)).toBeCloseTo(400)
})

const idsOf = (nodes: readonly TraceNode[]): unknown[] =>
  nodes.map(({ id, children }) => (children.length === 0 ? id : [id, idsOf(children)]))

test('a session is a tree of turns, steps, calls and waits, each with its row of the transcript', () => {
  const turns = traceOfState(transcriptOf(states.both.snapshot))
  expect(idsOf(turns)).toEqual([
    ['msg_0', [['msg_1#0', [['call_question', ['call_question#wait']]]]]],
    [
      'msg_a',
      [
        [
          'msg_2#0',
          ['call_weather', ['call_fetch', ['call_fetch#wait']], ['call_dispatch', ['call_dispatch#wait']]]
        ]
      ]
    ],
    ['msg_b', ['msg_3#0']]
  ])
  const [weather, fetch, dispatch] = turns[1]?.children[0]?.children ?? []
  expect(weather).toMatchObject({ name: 'river-levels', row: 'call_weather', span: { tone: 'tool' } })
  expect(fetch?.children[0]?.span).toMatchObject({ tone: 'you' })
  expect(fetch?.children[0]?.span).not.toHaveProperty('end')
  expect(dispatch?.children[0]?.span).toMatchObject({ tone: 'other' })
})

const turnWith = (...parts: MessagePart[]): Transcript => {
  const user: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }] }
  const metadata = { createdAt: '2026-03-12T10:00:00.000Z' }
  const agent: Message = { id: 'm', role: 'assistant', metadata, parts: [{ type: 'step-start' }, ...parts] }
  return { ...emptyTranscript, messages: [foldedMessage(user), foldedMessage(agent)] }
}
const text = (words: string): MessagePart => ({ type: 'text', text: words })
const chunk = (seq: number, clock: string, type: 'start-step' | 'finish-step'): SessionEvent => ({
  type: 'chunk',
  seq,
  at: `2026-03-12T${clock}.000Z`,
  messageId: 'm',
  turnId: 't',
  chunk: { type }
})

test('the text of a step has no Markdown', () => {
  const transcript = turnWith(text('# Report\n\nThe **gate** is `open`.'))
  const [turn] = traceOf({ transcript, ...nothing })
  expect(turn?.children[0]?.note).toBe('Report The gate is open.')
})

test('events define when a step started and when its last text arrived', () => {
  const events = [chunk(1, '10:00:05', 'start-step'), chunk(2, '10:00:09', 'finish-step')]
  const [turn] = traceOf({ transcript: turnWith(text('Later.')), ...nothing, events })
  expect(turn?.children[0]?.span).toEqual({
    start: Date.parse('2026-03-12T10:00:05Z'),
    end: Date.parse('2026-03-12T10:00:09Z'),
    tone: 'model'
  })
})

test('each event belongs to the row that it tells about, also if earlier steps are not loaded', () => {
  const transcript = turnWith(text('One.'), { type: 'step-start' }, text('Two.'))
  const events: SessionEvent[] = [
    { ...chunk(7, '10:00:02', 'finish-step') },
    chunk(8, '10:00:03', 'start-step'),
    { type: 'status', status: 'idle', seq: 9, at: '2026-03-12T10:00:04.000Z' }
  ]
  const byNode = eventsByNode(traceOf({ transcript, ...nothing, events }), events)
  const seqs = [...byNode].map(([id, own]) => [id, own.map(({ seq }) => seq)])
  expect(seqs).toEqual([
    ['m#0', [7]],
    ['m#1', [8]],
    ['u', [9]]
  ])
})

const prompt = (promptId: number, change: Partial<ListedPrompt> = {}): ListedPrompt => ({
  promptId,
  turnId: 't',
  messageId: 'm',
  round: 1,
  at: '2026-03-12T10:00:01.000Z',
  messages: 1,
  tokens: 100 + promptId,
  cacheRead: 0,
  cacheWrite: 0,
  output: 10,
  usd: 0.5,
  estimated: 100,
  states: [],
  ...change
})

test('a step has the tokens and cost of its prompt and reply, a turn their sums, and a failed attempt its own row', () => {
  const transcript = turnWith(text('One.'), { type: 'step-start' }, text('Two.'))
  const error = { code: '429', message: 'Too many requests.' }
  const prompts = [prompt(3), prompt(2, { tokens: 0, error }), prompt(1)]
  const [turn] = traceOf({ transcript, ...nothing, prompts })
  expect(turn).toMatchObject({ tokens: 224, usd: 1 })
  expect(turn?.children.map(({ kind, tokens, prompt }) => [kind, tokens, prompt?.promptId])).toEqual([
    ['step', 111, 1],
    ['step', 113, 3],
    ['failure', undefined, 2]
  ])
})

test('plugins are rows of their step; restarts, failures and out-of-band messages are rows of the turn', () => {
  const hook = {
    plugin: 'guard',
    point: 'beforeTool' as const,
    outcome: 'cancelled' as const,
    startedAt: '2026-03-12T10:00:01Z',
    ms: 40
  }
  const told = {
    id: 'oob_1',
    source: 'external' as const,
    sourceId: 'ci',
    priority: 'high' as const,
    content: 'The build broke.',
    status: 'injected' as const,
    sessionId: 'build',
    timestamp: 1_773_309_600_000,
    queuedAt: '2026-03-12T10:00:00Z',
    injectedAt: '2026-03-12T10:00:20Z'
  }
  const transcript = turnWith(
    text('Words.'),
    { type: 'data-hook', data: hook },
    { type: 'data-notice', data: { kind: 'restarted', partialText: '', seconds: 2 } },
    { type: 'data-oob', id: told.id, data: told }
  )
  const [turn] = traceOfState({
    ...transcript,
    outOfBand: { oob_1: told, oob_2: { ...told, id: 'oob_2', status: 'held', injectedAt: undefined } }
  })
  expect(turn?.children.map(({ kind, id }) => [kind, id])).toEqual([
    ['step', 'm#0'],
    ['oob', 'oob_1'],
    ['oob', 'oob_2'],
    ['notice', 'm:3']
  ])
  const start = Date.parse(hook.startedAt)
  expect(turn?.children[0]?.children).toMatchObject([
    { kind: 'hook', name: 'guard', row: 'm:2', span: { start, end: start + 40, tone: 'hook' } }
  ])
  expect(turn?.children[2]?.span).toMatchObject({ tone: 'you' })
  expect(rowsOf(transcript, []).map(({ key }) => key)).toContain('m:2')
})

test('attempts to deliver a call are rows if one of them failed', () => {
  const attempts = [
    { at: '2026-03-12T14:02:05.000Z', ms: 5000, status: 503, error: 'It responded with 503.' }
  ]
  const childrenWith = (delivery: object) => {
    const call_dispatch = { ...deliveries[0], ...delivery } as (typeof deliveries)[number]
    const transcript = transcriptOf(states.both.snapshot)
    const turns = traceOf({ transcript, ...nothing, deliveries: { call_dispatch } })
    return turns[1]?.children[0]?.children[2]?.children.map(({ kind, note }) => [kind, note])
  }
  expect(childrenWith({})).toEqual([['wait', 'for Acme dispatcher']])
  expect(childrenWith({ attempts })).toEqual([
    ['wait', 'for Acme dispatcher'],
    ['delivery', '503']
  ])
})

const shownIds = (lines: ReturnType<typeof linesOf>) => lines.map(({ node }) => node.id)

test('all turns but the last two are folded at first, and a link unfolds the way to its row', () => {
  const turns = traceOfState(transcriptOf(states.both.snapshot))
  const ids = shownIds(linesOf(turns, {}))
  expect(ids).toContain('call_weather')
  expect(ids).not.toContain('call_question')
  expect(shownIds(linesOf(turns, unfoldedTo('call_question#wait', turns, {})))).toContain(
    'call_question#wait'
  )
  expect(shownIds(linesOf(turns, { msg_a: false }))).not.toContain('call_weather')
})

test('a filter shows the matching rows with the rows that contain them, and searches events too', () => {
  const turns = traceOfState(transcriptOf(states.both.snapshot))
  const events = new Map([['msg_3#0', [chunk(5, '10:00:00', 'finish-step')]]])
  const shown = (filter: string) => shownIds(linesOf(turns, {}, matcherOf(filter, events)))
  expect(shown('Pump 1')).toEqual(['msg_0', 'msg_1#0', 'call_question', 'call_question#wait'])
  expect(shown('finish-step')).toEqual(['msg_b', 'msg_3#0'])
  expect(shown('nothing like it')).toEqual([])
})
