import { expect, test } from 'vitest'
import type { Chunk } from '#lib/protocol/session/event.ts'
import { meterOf } from './meter.ts'

const unreported = { inputTokens: undefined, outputTokens: undefined }
const none = { inputTokens: 0, outputTokens: 0 }
const call = { toolCallId: 'c', toolName: 'look' }

/** A call of the model that went out, and what stops it. */
function asked() {
  const stop = new AbortController()
  const meter = meterOf(stop.signal)
  meter.ask()
  return { meter, stop: () => stop.abort() }
}

test('22 S24: what never went out, or failed before any answer, took nothing; also when it is stopped afterwards', () => {
  const unasked = meterOf(AbortSignal.abort())
  expect(unasked.spent()).toBeUndefined()
  const { meter, stop } = asked()
  meter.fail()
  meter.end({ finishReason: 'error', usage: unreported })
  stop()
  expect(meter.spent()).toBeUndefined()
})

test('22 S24: what was stopped before any answer was read all the same, and its failure is that of the stop', () => {
  const { meter, stop } = asked()
  expect(meter.spent()).toBeUndefined()
  stop()
  meter.fail()
  expect(meter.spent()).toEqual({ usage: none, said: '' })
})

test('22 S24: all that the model writes counts, also what it thinks and calls, and once', () => {
  const { meter } = asked()
  const chunks: Chunk[] = [
    { type: 'reasoning-delta', id: 'r', delta: 'Hm. ' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Yes. ' },
    { type: 'tool-input-start', ...call },
    { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"a":1}' },
    { type: 'tool-input-available', ...call, input: { a: 1 } },
    { type: 'tool-input-available', ...call, toolCallId: 'whole', input: { b: 2 } }
  ]
  for (const chunk of chunks) meter.hear(chunk)
  meter.fail()
  expect(meter.spent()).toEqual({ usage: none, said: 'Hm. Yes. {"a":1}{"b":2}' })
})

test('22 S24: what the provider reports counts, also without a word and beside an error; what cannot be a count does not', () => {
  const failed = asked().meter
  failed.fail()
  failed.end({ finishReason: 'error', usage: { inputTokens: 7, outputTokens: -1 } })
  expect(failed.spent()).toEqual({ usage: { inputTokens: 7, outputTokens: 0 }, said: '' })
  const silent = asked().meter
  silent.end({ finishReason: 'content-filter', usage: unreported })
  expect(silent.spent()).toEqual({ usage: none, said: '' })
})
