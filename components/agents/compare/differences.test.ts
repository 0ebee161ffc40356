import { expect, test } from 'vitest'
import { callsBetween, isSameResult, lowest, wordsBetween } from './differences.ts'

const call = (toolName: string, input: unknown) => ({
  toolCallId: `${toolName}-${JSON.stringify(input)}`,
  toolName,
  input,
  state: 'answered' as const
})

test('texts are compared word by word', () => {
  expect(wordsBetween('It is cold in Oslo.', 'It is warm in Oslo.')).toEqual([
    { sign: ' ', text: 'It is ' },
    { sign: '-', text: 'cold' },
    { sign: '+', text: 'warm' },
    { sign: ' ', text: ' in Oslo.' }
  ])
  expect(wordsBetween('Same.', 'Same.')).toEqual([{ sign: ' ', text: 'Same.' }])
})

test('calls are compared by tool and order, and changed ones name their arguments', () => {
  const before = [call('fetch', { url: 'a', method: 'GET' }), call('fetch', { url: 'b' }), call('ask', {})]
  const after = [call('fetch', { url: 'a2', method: 'GET' }), call('ask', {}), call('say', { text: 'x' })]
  expect(callsBetween(before, after)).toEqual([
    { kind: 'changed', toolName: 'fetch', fields: ['url'] },
    { kind: 'removed', toolName: 'fetch', fields: [] },
    { kind: 'added', toolName: 'say', fields: [] }
  ])
})

test('results with the same answer and the same calls are the same', () => {
  const result = {
    sessionId: 's',
    messageId: 'm',
    state: 'done' as const,
    text: 'Hi.',
    calls: [call('ask', { a: 1 })]
  }
  expect(isSameResult(result, { ...result, calls: [call('ask', { a: 1 })] })).toBe(true)
  expect(isSameResult(result, { ...result, calls: [call('ask', { a: 2 })] })).toBe(false)
  expect(isSameResult(result, { ...result, text: 'Hello.' })).toBe(false)
})

test('the lowest value is marked unless all are equal or only one is known', () => {
  expect(lowest([3, 1, 2])).toEqual([1])
  expect(lowest([1, 1, 2])).toEqual([0, 1])
  expect(lowest([2, 2])).toEqual([])
  expect(lowest([undefined, 2])).toEqual([])
})
