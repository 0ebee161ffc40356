import type { TestRun } from '@waystation/protocol/agent/test-set.ts'
import type { TurnResult } from '@waystation/protocol/session/comparison.ts'
import { expect, test } from 'vitest'
import { outcomeWords, rowsOf, summaryWords } from './run-summary.ts'

const result = (text: string, more: Partial<TurnResult> = {}): TurnResult => ({
  sessionId: 's',
  messageId: 'm',
  state: 'done',
  text,
  calls: [],
  usd: 0.01,
  seconds: 2,
  ...more
})
const run = (...rows: TestRun['rows'][0]['results'][]): TestRun => ({
  id: 'run',
  with: (rows[0] ?? []).map((_, index) => ({ revision: index + 1 })),
  revisions: [1, 2],
  startedBy: 'Ada',
  startedAt: '2026-01-01T00:00:00.000Z',
  rows: rows.map((results, index) => ({ text: `message ${index}`, results }))
})
const call = (toolName: string) => ({ toolCallId: 'c', toolName, input: {}, state: 'done' as const })

test('the summary of a run names the changed messages and the differences in cost and time', () => {
  const same = [result('a'), result('a')]
  const cheaper = [result('a'), result('b', { usd: 0.0092, seconds: 0.8 })]
  for (const [rows, words] of [
    [[same, cheaper], '1 of 2 changed · cost −4 % · 1.2 s faster'],
    [[cheaper.toReversed()], '1 of 1 changed · cost +9 % · 1.2 s slower'],
    [[[result('a', { usd: 0 }), result('a', { usd: 0.5 })]], '0 of 1 changed'],
    [[same, [result('a'), result('', { state: 'failed' })]], '1 of 2 changed · 1 failed'],
    [[same, [result('a'), result('', { state: 'waiting' })]], '0 of 2 changed · 1 waiting'],
    [[same, [result('a'), result('', { state: 'working' })]], '1 of 2 finished'],
    [[same, [null, result('a')]], '0 of 2 changed'],
    [[[result('a')]], '1 of 1 finished']
  ] as const)
    expect(summaryWords(run(...(rows as never as TurnResult[][])))).toBe(words)
})

test('the outcome of a message', () => {
  for (const [results, words] of [
    [undefined, 'Not run'],
    [[result('a'), null], 'Deleted'],
    [[result('a'), result('a')], 'Same'],
    [[result('a'), result('b')], 'Changed'],
    [[result('a'), result('a', { calls: [call('web-fetch')] as never })], 'Changed · + web-fetch'],
    [[result('a'), result('', { state: 'working' })], 'Working…'],
    [[result('', { state: 'failed' }), result('a')], 'Failed'],
    [[result('a')], 'Done']
  ] as const)
    expect(outcomeWords({ text: 't', results: results as never, inSet: true })).toBe(words)
})

test('changed and failed messages come first once the run is over, and messages that did not run come last', () => {
  const same = [result('a'), result('a')]
  const news = [
    [result('a'), result('b')],
    [result('a'), result('', { state: 'failed' })]
  ]
  const texts = (results: TurnResult[][]) =>
    rowsOf(['message 0', 'new'], run(...results)).map(
      ({ text, inSet }) => `${text}${inSet ? '' : ' (removed)'}`
    )
  expect(texts([same, ...news])).toEqual(['message 1 (removed)', 'message 2 (removed)', 'message 0', 'new'])
  expect(texts([same, [result('a'), result('', { state: 'working' })]])[0]).toBe('message 0')
})
