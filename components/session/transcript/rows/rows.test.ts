import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { emptyTranscript, type Transcript } from '@waystation/protocol/session/fold.ts'
import { expect, test } from 'vitest'
import type { PendingSend } from '#components/session/store/outbox.ts'
import { rowsOf } from './rows.ts'

const at = '2026-03-05T14:00:00.000Z'
const told: OutOfBand = {
  id: 'oob_1',
  sessionId: 's',
  timestamp: 0,
  source: 'user',
  sourceId: 'Ada',
  priority: 'normal',
  content: 'API docs only.',
  status: 'visible',
  queuedAt: at
}
const received = {
  message: {
    id: 'm1',
    role: 'assistant',
    metadata: { createdAt: at },
    parts: [{ type: 'data-oob', id: 'oob_1', data: { ...told, status: 'injected' } }]
  }
} as Transcript['messages'][number]
const outOfBand = { oob_1: told }
const send: PendingSend = {
  key: 'k',
  text: told.content,
  tell: { priority: 'normal' },
  whenBusy: 'queue',
  at,
  state: 'sending'
}
const keys = (...of: Parameters<typeof rowsOf>) => rowsOf(...of).map(({ key }) => key)

test('004-12: a message of a person has one row with the same key, before and after the agent receives it', () => {
  expect(keys({ ...emptyTranscript, outOfBand }, [])).toEqual(['oob_1'])
  // The agent's message arrives before the receipt.
  expect(keys({ ...emptyTranscript, outOfBand, messages: [received] }, [])).toEqual(['oob_1'])
})

test('a message is not shown twice when the log contains it before its response, or its response was lost', () => {
  expect(keys({ ...emptyTranscript, outOfBand }, [send])).toEqual(['oob_1'])
  expect(keys({ ...emptyTranscript, outOfBand }, [{ ...send, state: 'unsent' }])).toEqual(['oob_1'])
  // An earlier message with the same text is another message.
  const later = { ...send, state: 'unsent' as const, at: '2026-03-09T09:00:00.000Z' }
  expect(keys({ ...emptyTranscript, outOfBand }, [later])).toEqual(['oob_1', 'k'])
  expect(keys({ ...emptyTranscript, outOfBand }, [{ ...send, state: 'refused' }])).toEqual(['oob_1', 'k'])
})

test('pending messages of programs have no row, and those sent to an external agent are where they were sent', () => {
  const ci = { ...told, source: 'external' as const }
  expect(keys({ ...emptyTranscript, outOfBand: { oob_1: ci } }, [])).toEqual([])
  const forwarded = { ...ci, status: 'injected' as const, messageId: 'oob_1' }
  expect(keys({ ...emptyTranscript, outOfBand: { oob_1: forwarded } }, [])).toEqual(['oob_1'])
})

test('text after a call and its wait has the time of the answer, not the time when the message started', () => {
  const answered = '2026-03-08T09:00:00.000Z'
  const call = {
    toolCallId: 'c1',
    state: 'settled',
    since: at,
    settledAt: answered
  }
  const message = {
    message: {
      id: 'm1',
      role: 'assistant',
      metadata: { createdAt: at },
      parts: [
        { type: 'text', text: 'I ask first.' },
        { type: 'tool-fetch', toolCallId: 'c1', state: 'output-available', input: {}, output: {} },
        { type: 'text', text: 'It says hello.' }
      ]
    }
  } as Transcript['messages'][number]
  const calls = { c1: call } as unknown as Transcript['calls']
  const rows = rowsOf({ ...emptyTranscript, messages: [message], calls }, [])
  expect(rows.map(({ kind, at }) => [kind, at])).toEqual([
    ['prose', at],
    ['tool', at],
    ['wait', answered],
    ['prose', answered]
  ])
})
