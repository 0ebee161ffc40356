import type { Call } from '@waystation/protocol/call/call.ts'
import { expect, test } from 'vitest'
import { nodeOf } from './node-of.ts'

const rowOf = (output: unknown) => {
  const call = { kind: 'server', state: 'answered', output } as Call
  const part = {
    type: 'tool-web-fetch',
    toolCallId: 'c',
    state: 'output-available',
    input: {},
    output
  } as const
  return { kind: 'tool', part, call, key: 'c', at: undefined, messageId: 'm' } as const
}

test('the node of a call whose response has an error status differs from that of a success', () => {
  expect(nodeOf(rowOf({ url: 'https://a.example', status: 500 }), true)).toBe('warned')
  expect(nodeOf(rowOf({ url: 'https://a.example', status: 204 }), true)).toBe('done')
})
