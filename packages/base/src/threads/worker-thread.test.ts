import { expect, onTestFinished, test } from 'vitest'
import { workerThread } from './worker-thread.ts'

/**
 * A thread that answers `{sleep}` after so many milliseconds without CPU time, and `{spin}` after as many with CPU
 * time. `{fill}` makes V8 end its process for lack of memory. `{signal}` is first sent to its process.
 */
const source = `
import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ sleep = 0, spin = 0, die = false, fill = false, signal }) => {
  if (signal) process.kill(process.pid, signal)
  if (fill) for (const map = new Map(); ; ) map.set(map.size, map.size)
  if (die) setTimeout(() => process.exit(1), 20)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, sleep)
  for (const until = performance.now() + spin; performance.now() < until; );
  parentPort.postMessage('done')
})
parentPort.postMessage('ready')`

function threadWith(limitMs: number) {
  const file = new URL(`data:text/javascript,${encodeURIComponent(source)}`)
  const thread = workerThread<{
    sleep?: number
    spin?: number
    die?: boolean
    fill?: boolean
    signal?: string
  }>({
    file,
    limitMs,
    memory: 64,
    about: 'is tested failed.'
  })
  onTestFinished(thread.stop)
  return thread
}

test('a thread that waits for a core is not late, a thread that computes too long is, and the next question is answered', async () => {
  const { ask } = threadWith(100)
  expect(await ask({ sleep: 400 })).toBe('done')
  expect(await ask({ spin: 60_000 })).toBeUndefined()
  expect(await ask({})).toBe('done')
})

test('waiting for a thread that does nothing ends', async () => {
  const { ask } = threadWith(50)
  expect(await ask({ sleep: 60_000 })).toBeUndefined()
  expect(await ask({})).toBe('done')
})

test('the next question replaces a thread that died after an answer', async () => {
  const { ask } = threadWith(1_000)
  expect(await ask({ die: true })).toBe('done')
  for (let n = 0; n < 20; n++) {
    await ask({ sleep: 5 })
  }
  expect(await ask({})).toBe('done')
})

test('22 A2: if V8 ends the process of a thread, its question gets no answer and this process continues', async () => {
  const { ask } = threadWith(30_000)
  const other = threadWith(30_000)
  expect(await other.ask({})).toBe('done')
  expect(await ask({ fill: true })).toBeUndefined()
  expect(await ask({})).toBe('done')
  expect(await other.ask({})).toBe('done')
})

test('22 A2: a thread continues after a signal to the whole process group', async () => {
  const { ask } = threadWith(30_000)
  expect(await ask({ signal: 'SIGTERM' })).toBe('done')
  expect(await ask({ signal: 'SIGINT' })).toBe('done')
})

test('22 A2: a thread has no environment, reads only the server’s code, and cannot write files or start programs', async () => {
  const file = new URL(`data:text/javascript,${encodeURIComponent(forbiddenSource)}`)
  const { ask, stop } = workerThread({ file, limitMs: 10_000, memory: 64, about: 'is tested failed.' })
  onTestFinished(stop)
  const [read, write, run] = Array(3).fill('ERR_ACCESS_DENIED')
  expect(await ask('')).toEqual({ environment: {}, read, write, run })
})

/** A thread that tries forbidden operations and answers with the error codes. */
const forbiddenSource = `
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
const codeOf = act => { try { act(); return 'done' } catch (error) { return error.code } }
parentPort.on('message', () => parentPort.postMessage({
  environment: { ...process.env },
  read: codeOf(() => readFileSync('/etc/hostname')),
  write: codeOf(() => writeFileSync('/tmp/waystation-thread', '')),
  run: codeOf(() => execFileSync('/bin/true'))
}))
parentPort.postMessage('ready')`
