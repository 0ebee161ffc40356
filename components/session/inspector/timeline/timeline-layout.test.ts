import { foldedMessage } from '@waystation/protocol/session/apply-chunk.ts'
import { emptyTranscript, transcriptOf } from '@waystation/protocol/session/fold.ts'
import { expect, test } from 'vitest'
import { rowsOf } from '#components/session/transcript/rows/rows.ts'
import { now, states } from '#tests/browser/fixtures/states.ts'
import { type Bar, barsOf } from './timeline-bars.ts'
import { breakWidth, layOut } from './timeline-layout.ts'

const second = 1000
const day = 86_400 * second
const bar = (lane: Bar['lane'], start: number, end?: number): Bar => ({
  id: `${lane}-${start}`,
  lane,
  row: 'row',
  what: 'something',
  tone: lane === 'model' ? 'model' : lane === 'tools' ? 'tool' : 'settled',
  start,
  ...(end === undefined ? {} : { end })
})
const at = { now: 10 * day, room: 400 }
const laneOf = (layout: ReturnType<typeof layOut>, lane: Bar['lane']) =>
  layout.lanes.find(one => one.lane === lane)

test('waits of six seconds and of two days are both drawn as a break of 48 px with their length', () => {
  for (const wait of [6 * second, 2 * day]) {
    const { breaks, width } = layOut(
      [
        bar('model', 0, 2 * second),
        bar('waits', 2 * second, 2 * second + wait),
        bar('model', 2 * second + wait, 4 * second + wait)
      ],
      at
    )
    expect(breaks).toEqual([{ x: 120, ms: wait, waited: true }])
    expect(width).toBe(120 + breakWidth + 120)
  }
})

test('a wait of at most five seconds is drawn to scale, without a break', () => {
  const { breaks, lanes } = layOut(
    [bar('model', 0, 1 * second), bar('waits', 1 * second, 6 * second), bar('model', 6 * second, 7 * second)],
    at
  )
  expect(breaks).toEqual([])
  const widths = lanes.flatMap(lane => lane.bars.map(one => one.width))
  expect((widths[2] ?? 0) / (widths[0] ?? 1)).toBeCloseTo(5)
})

test('inside a burst, a bar that lasts twice as long is twice as wide', () => {
  const layout = layOut([bar('model', 0, 2 * second), bar('tools', 2 * second, 6 * second)], at)
  expect(laneOf(layout, 'model')?.bars).toMatchObject([{ x: 0, width: 120 }])
  expect(laneOf(layout, 'tools')?.bars).toMatchObject([{ x: 120, width: 240 }])
})

test('a wait spans the bursts and breaks that happen during it', () => {
  const layout = layOut(
    [bar('model', 0, second), bar('waits', second, 3 * day), bar('model', day, day + second)],
    at
  )
  expect(layout.breaks.map(({ ms, waited }) => [ms, waited])).toEqual([
    [day - second, true],
    [2 * day - second, true]
  ])
  expect(laneOf(layout, 'waits')?.bars).toMatchObject([{ x: 60, width: 48 + 60 + 48 }])
})

test('an idle pause is also a break, and is not marked as a wait', () => {
  const { breaks } = layOut([bar('model', 0, second), bar('model', day, day + second)], at)
  expect(breaks).toMatchObject([{ ms: day - second, waited: false }])
})

test('a running bar ends at the current time, and overlapping bars of a lane are stacked', () => {
  const layout = layOut([bar('tools', 0, 3 * second), bar('tools', second), bar('tools', 3 * second + 100)], {
    now: 4 * second,
    room: 400
  })
  expect(laneOf(layout, 'tools')).toMatchObject({
    levels: 2,
    bars: [
      { x: 0, level: 0 },
      { x: 60, level: 1 },
      { x: 186, level: 0 }
    ]
  })
  expect(layout.width).toBeCloseTo(240)
})

test('bursts share the available width, but a second is never narrower than 6 px', () => {
  expect(layOut([bar('model', 0, 20 * second)], at).width).toBe(400)
  expect(layOut([bar('model', 0, 1000 * second)], at).width).toBe(6000)
})

test('a running bar is labeled “now”, and a finished one is not', () => {
  const ticks = (last: Bar) => layOut([bar('model', 0, second), last], at).ticks.map(tick => tick.now)
  expect(ticks(bar('waits', second))).toEqual([false, true])
  expect(ticks(bar('waits', second, at.now))).toEqual([false, false])
})

test('an empty timeline has no width, no lanes and no breaks', () => {
  expect(layOut([], at)).toEqual({ width: 0, lanes: [], breaks: [], ticks: [] })
})

test('a lane without bars is left out', () => {
  expect(layOut([bar('model', 0, second)], at).lanes.map(({ lane }) => lane)).toEqual(['model'])
})

test('a session is drawn as bars for steps, runs and waits, each with its row', () => {
  const bars = barsOf(transcriptOf(states.both.snapshot), [])
  expect(bars.map(({ lane, row, tone, end }) => [lane, row, tone, end !== undefined])).toEqual([
    ['model', 'call_question', 'model', true],
    ['waits', 'call_question', 'settled', true],
    ['model', 'msg_2:1', 'model', true],
    ['tools', 'call_weather', 'tool', true],
    ['waits', 'call_fetch', 'you', false],
    ['waits', 'call_dispatch', 'other', false],
    ['model', 'msg_3:1', 'model', true]
  ])
  const { breaks } = layOut(bars, { now: Date.parse(now), room: 300 })
  expect(breaks.map(({ ms, waited }) => [ms / second, waited])).toEqual([
    [192, true],
    [168, false],
    [38, false],
    [122, true],
    [118, true]
  ])
})

test('events define when a step started and when its last text arrived', () => {
  const transcript = transcriptOf({
    ...states.both.snapshot,
    calls: [],
    messages: [
      {
        id: 'm',
        role: 'assistant',
        metadata: { createdAt: '2026-03-12T10:00:00.000Z' },
        parts: [{ type: 'step-start' }, { type: 'text', text: 'Later.' }]
      }
    ]
  })
  const chunk = (seq: number, clock: string, type: 'start-step' | 'finish-step') => ({
    type: 'chunk' as const,
    seq,
    at: `2026-03-12T${clock}.000Z`,
    messageId: 'm',
    turnId: 't',
    chunk: { type }
  })
  const bars = barsOf(transcript, [chunk(2, '10:00:09', 'finish-step'), chunk(1, '10:00:05', 'start-step')])
  expect(bars).toMatchObject([
    { start: Date.parse('2026-03-12T10:00:05Z'), end: Date.parse('2026-03-12T10:00:09Z') }
  ])
})

test('changes, cancellations and failures of plugins have their own lane, and link to their row', () => {
  const data = {
    plugin: 'guard',
    point: 'beforeTool' as const,
    outcome: 'cancelled' as const,
    startedAt: '2026-03-12T10:00:01Z',
    ms: 40
  }
  const message = { id: 'm', role: 'assistant' as const, parts: [{ type: 'data-hook' as const, data }] }
  const transcript = { ...emptyTranscript, messages: [foldedMessage(message)] }
  const [bar] = barsOf(transcript, []).filter(({ lane }) => lane === 'hooks')
  const start = Date.parse(data.startedAt)
  expect(bar).toMatchObject({ what: 'guard', row: 'm:0', tone: 'hook', start, end: start + 40 })
  expect(layOut([bar as Bar], at).lanes.map(({ lane }) => lane)).toEqual(['hooks'])
  expect(rowsOf(transcript, [])).toMatchObject([{ kind: 'hook', key: 'm:0', run: data }])
})

test('out-of-band messages have their own lane, from sending until the agent receives them', () => {
  const message = {
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
  const held = { ...message, id: 'oob_2', status: 'held' as const, injectedAt: undefined }
  const step = { id: 'm', role: 'assistant' as const, parts: [{ type: 'data-oob' as const, data: message }] }
  const transcript = {
    ...emptyTranscript,
    messages: [foldedMessage(step)],
    outOfBand: { oob_1: message, oob_2: held }
  }
  const [received, waiting] = barsOf(transcript, []).filter(({ lane }) => lane === 'out-of-band')
  expect(received).toMatchObject({ row: 'oob_1', end: Date.parse(message.injectedAt), tone: 'settled' })
  expect(waiting).toMatchObject({ row: 'oob_2', tone: 'you' })
  expect(waiting).not.toHaveProperty('end')
})
