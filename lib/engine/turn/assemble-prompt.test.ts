import { drainGenerator } from '@waystation/base/drain-generator.ts'
import { expect, test } from 'vitest'
import { noHooks } from '#lib/kernel/ports/hooks.ts'
import { memoryTurn } from '#tests/support/servers/memory-turn.ts'
import { assemblePrompt } from './assemble-prompt.ts'
import type { Step } from './turn.ts'

const stepWith = (more: Partial<Step>) =>
  memoryTurn([], {
    step: {
      entries: [{ id: 1, kind: 'user', parts: [{ type: 'text', text: 'Hello.' }], tokens: 2 }],
      ...more
    }
  }).step

test('001-10: the states of a prompt are produced on demand, and the final one contains the prompt to send', async () => {
  const calls: string[] = []
  const step = stepWith({
    instructions: 'Be brief.',
    hooks: {
      ...noHooks,
      has: point => point === 'beforeModel',
      async *stages(_point, payload) {
        calls.push('first')
        yield { plugin: 'first', outcome: 'same', payload, ms: 0 }
        calls.push('second')
        yield { plugin: 'second', outcome: 'same', payload, ms: 0 }
        return { payload, changed: false }
      }
    }
  })
  const states = assemblePrompt(step)
  const stages: string[] = []
  for (;;) {
    const next = await states.next()
    if (next.done) {
      expect(next.value).toMatchObject({ messages: [{ role: 'user' }], tools: [] })
      break
    }
    stages.push(`${next.value.stage} after ${calls.length}`)
  }
  expect(stages).toEqual([
    'instructions after 0',
    'history after 0',
    'plugin after 1',
    'plugin after 2',
    'final after 2'
  ])
})

test('001-10: if a plugin cancels the prompt, there is no final state, and the turn ends with its reason', async () => {
  const step = stepWith({
    hooks: {
      ...noHooks,
      has: point => point === 'beforeModel',
      // biome-ignore lint/correctness/useYield: it is cancelled at once
      async *stages() {
        return { cancelled: { plugin: 'guard', reason: 'not now' } }
      }
    }
  })
  const stages: string[] = []
  const states = assemblePrompt(step)
  let next = await states.next()
  for (; !next.done; next = await states.next()) stages.push(next.value.stage)
  expect(stages).toEqual(['instructions', 'history'])
  expect(next.value).toMatchObject({ kind: 'failed', error: { message: expect.stringContaining('not now') } })
})

test('001-10: the figures of a prompt do not count the ages of messages, which are not sent', async () => {
  const entry = {
    id: 1,
    kind: 'user' as const,
    parts: [{ type: 'text' as const, text: 'Hello.' }],
    tokens: 2
  }
  const figuresOf = async (more: Partial<Step>) => {
    const tokens: number[] = []
    await drainGenerator(assemblePrompt(stepWith(more)), state => tokens.push(state.tokens))
    return tokens
  }
  const plain = await figuresOf({ entries: [entry] })
  expect(await figuresOf({ entries: [{ ...entry, duration: 5 }], serverHooks: async () => noHooks })).toEqual(
    plain
  )
})
