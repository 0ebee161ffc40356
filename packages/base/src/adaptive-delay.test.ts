import { expect, test } from 'vitest'
import { AdaptiveDelay } from './adaptive-delay.ts'

/** Returns the order in which a delay and a 20 ms timer end. */
async function order(delay: AdaptiveDelay, after?: () => void): Promise<string[]> {
  const finished: string[] = []
  const waiting = delay.wait().then(() => finished.push('breath'))
  after?.()
  const timer = new Promise<void>(resolve => setTimeout(resolve, 20)).then(() => finished.push('20 ms'))
  await Promise.all([waiting, timer])
  return finished
}

test('an idle process does not delay a write', async () => {
  expect(await order(new AdaptiveDelay(() => 0.2))).toEqual(['breath', '20 ms'])
})

test('a busy process does not delay a write that follows no other', async () => {
  expect(await order(new AdaptiveDelay(() => 1))).toEqual(['breath', '20 ms'])
})

test('a busy process delays a write that follows another until a caller flushes it', async () => {
  const busy = new AdaptiveDelay(() => 1)
  await busy.wait()
  expect(await order(busy)).toEqual(['20 ms', 'breath'])
  expect(await order(busy, () => busy.flush())).toEqual(['breath', '20 ms'])
  expect(await order(busy), 'the next one is whole again').toEqual(['20 ms', 'breath'])
})

test('by default, the delay depends on the recent event loop utilization', async () => {
  const delay = new AdaptiveDelay()
  await order(delay)
  const from = performance.now()
  while (performance.now() - from < 300) {
    // Busy.
  }
  await delay.wait()
  expect(await order(delay)).toEqual(['20 ms', 'breath'])
})
