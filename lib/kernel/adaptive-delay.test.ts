import { expect, test } from 'vitest'
import { AdaptiveDelay } from './adaptive-delay.ts'

/** The order in which a breath and other things are over. */
async function order(breath: AdaptiveDelay, after?: () => void): Promise<string[]> {
  const over: string[] = []
  const taken = breath.wait().then(() => over.push('breath'))
  after?.()
  const moments = new Promise<void>(resolve => setTimeout(resolve, 20)).then(() => over.push('20 ms'))
  await Promise.all([taken, moments])
  return over
}

test('a process that has time takes none: a lonely word goes at once', async () => {
  expect(await order(new AdaptiveDelay(() => 0.2))).toEqual(['breath', '20 ms'])
})

test('a busy process gathers, and whoever waits for what is gathered ends that', async () => {
  const busy = new AdaptiveDelay(() => 1)
  expect(await order(busy)).toEqual(['20 ms', 'breath'])
  expect(await order(busy, () => busy.flush())).toEqual(['breath', '20 ms'])
  expect(await order(busy), 'the next one is whole again').toEqual(['20 ms', 'breath'])
})

test('by itself it looks how busy the event loop was lately', async () => {
  const breath = new AdaptiveDelay()
  await order(breath)
  const from = performance.now()
  while (performance.now() - from < 300) {
    // Busy.
  }
  expect(await order(breath)).toEqual(['20 ms', 'breath'])
})
