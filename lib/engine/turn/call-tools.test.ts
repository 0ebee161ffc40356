import type { CallResult } from '@waystation/protocol/call/call.ts'
import { expect, test } from 'vitest'
import { LeaseLost } from '#lib/engine/log/session-lock.ts'
import { noHooks } from '#lib/kernel/ports/hooks.ts'
import { memoryTurn } from '#tests/support/servers/memory-turn.ts'
import { callTools } from './call-tools.ts'
import type { ClaimedCall } from './turn.ts'

const call = (toolCallId: string): ClaimedCall => ({
  toolCallId,
  toolName: 'tool',
  input: {},
  edited: false,
  waitedSeconds: 0,
  batchSeconds: 120
})

/** Creates a turn that claims these batches of calls. A test ends each tool with `ends`. */
function working(...portions: string[][]) {
  const batches = [...portions]
  const ends = new Map<string, (result: CallResult) => void>()
  let wake = () => {}
  const turnState = memoryTurn(['tools'], {
    claim: async () => (batches.shift() ?? []).map(call),
    run: ({ toolCallId }) => {
      turnState.actions.push(`run ${toolCallId}`)
      return new Promise(resolve => ends.set(toolCallId, resolve))
    },
    notified: signal =>
      new Promise(resolve => {
        wake = resolve
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
  })
  return {
    ...turnState,
    ends: (id: string) => ends.get(id)?.({ type: 'output', value: id }),
    wake: () => wake(),
    left: batches
  }
}
/** Waits until all pending promises have run. */
const settle = () => new Promise(resolve => setImmediate(resolve))

test('calls run in parallel, and each is recorded when it ends', async () => {
  const { turn, actions, ends } = working(['a', 'b'])
  const done = callTools(turn, { hooks: noHooks })
  await settle()
  expect(actions).toEqual(['run a', 'run b'])
  ends('b')
  await settle()
  expect(actions).toEqual(['run a', 'run b', 'record b'])
  ends('a')
  // The next `begin` records the last call.
  expect(await done).toEqual({
    toolCallId: 'a',
    outcome: { type: 'output', value: 'a' },
    duration: undefined
  })
  expect(actions).toEqual(['run a', 'run b', 'record b'])
})

test('a call that is approved while others run starts at once', async () => {
  const { turn, actions, ends, wake } = working(['slow'], ['late'])
  const done = callTools(turn, { hooks: noHooks })
  await settle()
  wake()
  await settle()
  expect(actions).toEqual(['run slow', 'run late'])
  ends('late')
  await settle()
  ends('slow')
  expect(await done).toMatchObject({ toolCallId: 'slow' })
  expect(actions.at(-1)).toBe('record late')
})

test('an approval that arrives during a claim is not missed', async () => {
  const { turn, actions, ends, wake, left } = working(['slow'])
  const claim = turn.claim
  turn.claim = async running => {
    const claimed = await claim(running)
    if (claimed[0]?.toolCallId === 'slow') {
      left.push(['late'])
      wake()
    }
    return claimed
  }
  const done = callTools(turn, { hooks: noHooks })
  await settle()
  expect(actions).toEqual(['run slow', 'run late'])
  ends('slow')
  ends('late')
  await done
})

test('a stop ends the wait at once, and nothing more is recorded', async () => {
  const { turn, actions, stop, ends } = working(['slow'])
  const done = callTools(turn, { hooks: noHooks })
  await settle()
  stop.abort('cancelled')
  await done
  ends('slow')
  await settle()
  expect(actions).toEqual(['run slow'])
})

test('a lease lost while recording is thrown, and the other tools are aborted', async () => {
  const { turn, ends } = working(['a', 'b'])
  const signals: AbortSignal[] = []
  const run = turn.run
  turn.run = (call, signal, secondsLeft) => {
    signals.push(signal)
    return Promise.race([
      run(call, signal, secondsLeft),
      new Promise<CallResult>(resolve =>
        signal.addEventListener('abort', () => resolve({ type: 'error', text: 'stopped' }))
      )
    ])
  }
  turn.record = () => Promise.reject(new LeaseLost(1))
  const done = callTools(turn, { hooks: noHooks })
  await settle()
  ends('a')
  await expect(done).rejects.toThrow(LeaseLost)
  expect(signals.every(signal => signal.aborted)).toBe(true)
})

test('if there is nothing to claim, it returns at once', async () => {
  const { turn, actions } = working()
  await callTools(turn, { hooks: noHooks })
  expect(actions).toEqual([])
})

test('calls that are already claimed run without another claim', async () => {
  const { turn, actions, ends } = working()
  const done = callTools(turn, { hooks: noHooks, calls: [call('a')] })
  await settle()
  expect(actions).toEqual(['run a'])
  ends('a')
  expect(await done).toMatchObject({ toolCallId: 'a' })
})

test('if a call joins while the last one finishes, the finished one is recorded at once', async () => {
  const { turn, actions, ends, wake, left } = working(['first'])
  const claim = turn.claim
  turn.claim = async running => {
    if (running === 1) {
      left.push(['second'])
      ends('first')
      await settle()
    }
    return claim(running)
  }
  const done = callTools(turn, { hooks: noHooks })
  await settle()
  wake()
  await settle()
  await settle()
  expect(actions).toEqual(['run first', 'run second', 'record first'])
  ends('second')
  expect(await done).toMatchObject({ toolCallId: 'second' })
})

test('a call that ends while the previous one is recorded is the last one', async () => {
  const { turn, actions, ends, wake, left } = working(['first'])
  const { claim, record } = turn
  turn.claim = async running => {
    if (running === 1) {
      left.push(['second'])
      ends('first')
      await settle()
    }
    return claim(running)
  }
  turn.record = async (...recorded) => {
    ends('second')
    await settle()
    return record(...recorded)
  }
  const done = callTools(turn, { hooks: noHooks })
  await settle()
  wake()
  expect(await done).toMatchObject({ toolCallId: 'second' })
  expect(actions).toEqual(['run first', 'run second', 'record first'])
})
