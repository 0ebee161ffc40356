import type { UIMessage, UIMessageChunk } from 'ai'
import { expect, test } from 'vitest'
import type { components } from '#packages/client/src/openapi.ts'
import type { Message as ServerMessage } from '#packages/protocol/src/session/message.ts'

type Message = components['schemas']['Message']
type Chunk = components['schemas']['Chunk']

// The compiler checks these types when it checks this file.

test("a client's message can be used as a message of the server and of the AI SDK", () => {
  const message: Message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Look it up.' }] }
  const forServer: ServerMessage = message
  const forSdk: UIMessage = message
  expect(forSdk).toBe(forServer)
})

test("a client's chunk can be used as a chunk of the AI SDK", () => {
  const chunk: Chunk = { type: 'text-delta', id: 't1', delta: 'On' }
  const forSdk: UIMessageChunk = chunk
  expect(forSdk).toBe(chunk)
})

test('the type of a part tells which fields it has', () => {
  const textOf = (part: Message['parts'][number]): string => {
    if (part.type === 'text') return part.text
    if (part.type === 'data-notice' && part.data.kind === 'failed') return part.data.message
    return part.type === 'data-delivery' ? part.data.state : ''
  }
  expect(textOf({ type: 'data-delivery', data: { state: 'pending' } })).toBe('pending')
})
