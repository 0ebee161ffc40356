import type { Call } from '@waystation/protocol/call/call.ts'
import { emptyTranscript, type Transcript } from '@waystation/protocol/session/fold.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { expect, test } from 'vitest'
import { turnImpact } from './turn-impact.ts'

const message = (id: string, metadata = {}) =>
  ({
    message: {
      id,
      role: id.startsWith('u') ? 'user' : 'assistant',
      metadata,
      parts: []
    } as unknown as Message
  }) as Transcript['messages'][number]
const transcript: Transcript = {
  ...emptyTranscript,
  messages: [
    message('u1'),
    message('a1'),
    message('u2'),
    message('a2'),
    message('u3'),
    message('u4', { queued: 'queue' })
  ],
  calls: {
    c1: { toolCallId: 'c1', messageId: 'a1', state: 'open', kind: 'question' } as Call,
    c2: { toolCallId: 'c2', messageId: 'a2', state: 'open', kind: 'approval' } as Call,
    done: { toolCallId: 'done', messageId: 'a2', state: 'answered', kind: 'question' } as Call
  }
}

test('001-21: before a turn is rerun, its later turns and their pending calls are counted; queued messages are not', () => {
  expect(turnImpact(transcript, 'u1')).toEqual({ later: 2, waiting: 2 })
  expect(turnImpact(transcript, 'a1')).toEqual({ later: 2, waiting: 2 })
  expect(turnImpact(transcript, 'a2')).toEqual({ later: 1, waiting: 1 })
  expect(turnImpact(transcript, 'u3')).toEqual({ later: 0, waiting: 0 })
})

test('001-21: deleting a turn does not remove later turns', () => {
  expect(turnImpact(transcript, 'u1', { alone: true }).waiting).toBe(1)
  expect(turnImpact(transcript, 'u3', { alone: true }).waiting).toBe(0)
})
