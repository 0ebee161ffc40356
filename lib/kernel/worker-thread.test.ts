import { expect, onTestFinished, test } from 'vitest'
import { workerThread } from './worker-thread.ts'

/** A thread that answers `{sleep}` after so many milliseconds without CPU time, and `{spin}` after computing as long. */
const source = `
import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ sleep = 0, spin = 0, die = false }) => {
  if (die) setTimeout(() => process.exit(1), 20)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, sleep)
  for (const until = performance.now() + spin; performance.now() < until; );
  parentPort.postMessage('done')
})
parentPort.postMessage('ready')`

function threadWith(limitMs: number) {
  const file = new URL(`data:text/javascript,${encodeURIComponent(source)}`)
  const thread = workerThread<{ sleep?: number; spin?: number; die?: boolean }>({
    file,
    limitMs,
    memory: 64,
    about: 'is tested failed.'
  })
  onTestFinished(thread.stop)
  return thread
}

test('a thread that waits for a core is not late, one that computes too long is, and the next question is answered', async () => {
  const { ask } = threadWith(100)
  expect(await ask({ sleep: 400 })).toBe('done')
  expect(await ask({ spin: 60_000 })).toBeUndefined()
  expect(await ask({})).toBe('done')
})

test('nobody waits for ever for a thread that does nothing', async () => {
  const { ask } = threadWith(50)
  expect(await ask({ sleep: 60_000 })).toBeUndefined()
  expect(await ask({})).toBe('done')
})

test('a thread that dies between two questions is replaced by the next', async () => {
  const { ask } = threadWith(1_000)
  expect(await ask({ die: true })).toBe('done')
  for (let n = 0; n < 20; n++) {
    await ask({ sleep: 5 })
  }
  expect(await ask({})).toBe('done')
})
