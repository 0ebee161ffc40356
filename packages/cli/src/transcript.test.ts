import type { Call, Message, SessionEvent } from '@waystation/client'
import { expect, test } from 'vitest'
import { transcript } from './transcript.ts'

const at = '2026-03-12T14:02:00.000Z'
const message = (id: string, role: 'user' | 'assistant', text: string, more: object = {}): Message => ({
  id,
  role,
  metadata: { createdAt: at, ...more },
  parts: [{ type: 'text', text }]
})
const reset = (messages: Message[], calls: Partial<Call>[] = [], status = 'idle') =>
  ({ type: 'reset', seq: 1, at, messages, calls, status, cursor: 1 }) as unknown as SessionEvent
const chunk = (messageId: string, chunk: object) =>
  ({ type: 'chunk', seq: 2, at, messageId, turnId: 't', chunk }) as unknown as SessionEvent
const delta = (id: string, text: string) => chunk(id, { type: 'text-delta', id: 'x', delta: text })
const event = (fields: object) => ({ seq: 3, at, ...fields }) as unknown as SessionEvent

const show = (last = 10) => transcript({ agentName: 'Guide', last, time: () => '14:02' })
const all = (events: SessionEvent[], last?: number) => events.map(show(last)).join('')

test('the last messages are printed with their authors, then what the agent writes as it arrives', () => {
  const text = all(
    [
      reset([message('a', 'user', 'one', { sentBy: 'Ada' }), message('b', 'assistant', 'two')]),
      event({ type: 'message', message: message('c', 'user', 'three', { sentBy: 'Ada' }) }),
      chunk('d', { type: 'start', messageId: 'd' }),
      delta('d', 'fo'),
      delta('d', 'ur'),
      event({ type: 'status', status: 'idle', outcome: 'done' })
    ],
    1
  )
  expect(text).toBe('Guide · 14:02\ntwo\n\nAda · 14:02\nthree\n\nGuide · 14:02\nfour\n')
})

test('after a reconnect, only text that is new is printed, and never text of earlier pages', () => {
  const old = message('old', 'user', 'old', { createdAt: '2026-01-01T00:00:00.000Z' })
  const text = all([
    reset([message('a', 'assistant', 'Hel')], [], 'running'),
    delta('a', 'lo'),
    reset([message('a', 'assistant', 'Hello, Ada'), message('b', 'user', 'Hi')]),
    event({ type: 'message', message: message('a', 'assistant', 'Hello, Ada') }),
    event({ type: 'message', message: old })
  ])
  expect(text).toBe('Guide · 14:02\nHello, Ada\n\nuser · 14:02\nHi\n')
})

test('each status line of an external agent is printed, and its removal is not', () => {
  const status = (agentStatus: object | null) => event({ type: 'session', title: '', agentStatus })
  const lines = [reset([]), status({ text: 'Looking it up…', expiresAt: at }), status(null)]
  expect(all([...lines, event({ type: 'session', title: 'New' })])).toBe('· Looking it up…\n')
})

test('the parts of a message are separate paragraphs', () => {
  const text = all([
    reset([]),
    chunk('a', { type: 'text-start', id: '1' }),
    delta('a', 'one'),
    chunk('a', { type: 'text-start', id: '2' }),
    delta('a', 'two')
  ])
  expect(text).toBe('Guide · 14:02\none\n\ntwo')
})

test('a pending call is printed with the command that answers it, and its outcome once', () => {
  const open = {
    toolCallId: 'call_1',
    toolName: 'send-email',
    kind: 'approval',
    state: 'open',
    input: { to: 'bob' },
    deadline: at
  }
  const settled = { ...open, state: 'denied', answeredBy: 'Ada', reason: 'no' }
  const text = all([
    reset([], [open as Partial<Call>]),
    event({ type: 'call', call: open }),
    event({ type: 'call', call: settled }),
    event({ type: 'call', call: settled })
  ])
  expect(text.match(/waystation answer call_1/g)).toHaveLength(1)
  expect(text).toContain('send-email {"to":"bob"}')
  expect(text.match(/denied by Ada \(no\)/g)).toHaveLength(1)
})

test('text of users, agents and tools cannot control the terminal', () => {
  const esc = '\u001b[2J'
  const call = {
    toolCallId: esc,
    toolName: esc,
    kind: 'external',
    state: 'open',
    input: { a: esc },
    deadline: at
  }
  const text = all([
    reset([message('a', 'user', esc, { sentBy: esc })], [call as Partial<Call>]),
    delta('b', esc),
    event({ type: 'call', call: { ...call, state: 'failed', answeredBy: esc, reason: esc } }),
    event({ type: 'status', status: 'failed', outcome: 'failed', error: { code: esc, message: esc } }),
    event({ type: 'messages-taken-out', messageIds: ['a'], by: esc })
  ])
  expect(text).toContain('<U+001B>')
  expect(text).not.toContain('\u001b')
})

test('a message that an external agent did not accept is reported once', () => {
  const failed = message('a', 'user', 'hi')
  failed.parts.push({ type: 'data-delivery', id: 'a', data: { state: 'failed', reason: 503 } })
  const events = [reset([message('a', 'user', 'hi')]), event({ type: 'message', message: failed })]
  const text = all([...events, event({ type: 'message', message: failed })])
  expect(text.match(/HTTP 503/g)).toHaveLength(1)
})
