import type { Chunk } from '@waystation/protocol/session/event.ts'
import { expect, test } from 'vitest'
import { createMeter } from './meter.ts'

const unreported = { inputTokens: undefined, outputTokens: undefined }
const none = { inputTokens: 0, outputTokens: 0 }
const call = { toolCallId: 'c', toolName: 'look' }

/** Returns the meter of a model call that was sent, and a function that stops the call. */
function sentCall() {
  const stop = new AbortController()
  const meter = createMeter(stop.signal)
  meter.ask()
  return { meter, stop: () => stop.abort() }
}

test('22 S24: a call that was not sent, or failed before any answer, costs nothing, even if it is stopped later', () => {
  const unasked = createMeter(AbortSignal.abort())
  expect(unasked.spent()).toBeUndefined()
  const { meter, stop } = sentCall()
  meter.fail()
  meter.end({ finishReason: 'error', usage: unreported })
  stop()
  expect(meter.spent()).toBeUndefined()
})

test('22 S24: a call that is stopped before any answer is billed for its prompt, even if it then fails', () => {
  const { meter, stop } = sentCall()
  expect(meter.spent()).toBeUndefined()
  stop()
  meter.fail()
  expect(meter.spent()).toEqual({ usage: none, text: '' })
})

test('22 S24: all output of the model is counted once, including its reasoning and its calls', () => {
  const { meter } = sentCall()
  const chunks: Chunk[] = [
    { type: 'reasoning-delta', id: 'r', delta: 'Hm. ' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Yes. ' },
    { type: 'tool-input-start', ...call },
    { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"a":1}' },
    { type: 'tool-input-available', ...call, input: { a: 1 } },
    { type: 'tool-input-available', ...call, toolCallId: 'whole', input: { b: 2 } }
  ]
  for (const chunk of chunks) meter.add(chunk)
  meter.fail()
  expect(meter.spent()).toEqual({ usage: none, text: 'Hm. Yes. {"a":1}{"b":2}' })
})

test('22 S24: valid counts of the provider are used, even without output or after an error', () => {
  const failed = sentCall().meter
  failed.fail()
  failed.end({ finishReason: 'error', usage: { inputTokens: 7, outputTokens: -1 } })
  expect(failed.spent()).toEqual({ usage: { inputTokens: 7, outputTokens: 0 }, text: '' })
  const silent = sentCall().meter
  silent.end({ finishReason: 'content-filter', usage: unreported })
  expect(silent.spent()).toEqual({ usage: none, text: '' })
})
