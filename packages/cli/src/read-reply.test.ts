import type { Message, SessionEvent } from '@waystation/client'
import { expect, test } from 'vitest'
import { readReply } from './read-reply.ts'

const message = (id: string, role: 'user' | 'assistant', text: string, metadata: object = {}): Message => ({
  id,
  role,
  metadata: { createdAt: '2026-03-12T14:02:00.000Z', ...metadata },
  parts: [{ type: 'text', text }]
})
const event = (fields: object) => ({ seq: 1, at: '', ...fields }) as unknown as SessionEvent
const reset = (messages: Message[], more: object = {}) =>
  event({ type: 'reset', messages, calls: [], status: 'running', ...more })
const delta = (text: string) =>
  event({ type: 'chunk', messageId: 'r', turnId: 't', chunk: { type: 'text-delta', id: '1', delta: text } })
const end = (outcome: string, more: object = {}) =>
  event({ type: 'status', status: 'idle', outcome, ...more })
const mine = message('m', 'user', 'hi')
/** The message in a session with an external agent. */
const forwarded = (state: 'pending' | 'failed'): Message => ({
  ...mine,
  parts: [...mine.parts, { type: 'data-delivery', id: 'm', data: { state } }]
})

async function read(...events: SessionEvent[]) {
  const pieces: string[] = []
  const reply = await readReply({
    events: (async function* () {
      yield* events
    })(),
    messageId: 'm',
    onText: async piece => void pieces.push(piece)
  })
  return { reply, pieces }
}

test('the reply is the text after the message, up to the end of the turn', async () => {
  const before = message('x', 'assistant', 'earlier')
  expect(await read(reset([before, mine]), delta('Hel'), delta('lo'), end('done'), delta('later'))).toEqual({
    reply: { outcome: 'done', text: 'Hello' },
    pieces: ['Hel', 'lo']
  })
})

test('a reply that ended before the events began is read from the session', async () => {
  const { reply } = await read(reset([mine, message('r', 'assistant', 'Hello')], { status: 'idle' }))
  expect(reply).toEqual({ outcome: 'done', text: 'Hello' })
})

test('a turn that ended without text has an empty reply', async () => {
  expect((await read(reset([mine], { status: 'idle' }))).reply).toEqual({ outcome: 'done', text: '' })
})

test('a queued message gets its reply after the turn before it', async () => {
  const { reply } = await read(
    reset([message('m', 'user', 'hi', { queued: 'queue' })]),
    delta('not for you'),
    end('done'),
    event({ type: 'message', message: mine, placed: true }),
    delta('for you'),
    end('parked')
  )
  expect(reply).toEqual({ outcome: 'parked', text: 'for you' })
})

test('a turn that is retried has not ended, and one that failed or was stopped is an error', async () => {
  const error = { code: 'MODEL', message: 'The model failed.', retryable: true }
  const { reply } = await read(
    reset([mine]),
    end('failed', { error, retryAt: 'soon' }),
    delta('ok'),
    end('done')
  )
  expect(reply?.text).toBe('ok')
  await expect(read(reset([mine]), end('failed', { error }))).rejects.toMatchObject({ code: 'MODEL' })
  await expect(read(reset([mine]), end('cancelled'))).rejects.toMatchObject({ code: 'STOPPED' })
})

test('the first complete reply of an external agent is the reply, whole or in pieces', async () => {
  const idle = reset([forwarded('pending')], { status: 'idle' })
  const whole = event({ type: 'message', message: message('r', 'assistant', 'Done.') })
  expect((await read(idle, whole)).reply).toEqual({ outcome: 'done', text: 'Done.' })
  const piece = (chunk: object) => event({ type: 'chunk', messageId: 'r', turnId: 'r', chunk })
  const growing = [
    piece({ type: 'text-delta', id: '1', delta: 'Do' }),
    piece({ type: 'text-delta', id: '1', delta: 'ne.' })
  ]
  expect((await read(idle, ...growing, piece({ type: 'finish' }))).reply?.text).toBe('Done.')
})

test('a reply of an external agent to another message is left out, whole, in pieces or at the start', async () => {
  const other = { inReplyTo: 'earlier' }
  const piece = (chunk: object) => event({ type: 'chunk', messageId: 'p', turnId: 'p', chunk })
  const { reply, pieces } = await read(
    reset([forwarded('pending'), message('x', 'assistant', 'no', other)], { status: 'idle' }),
    event({ type: 'message', message: message('y', 'assistant', 'no', other) }),
    piece({ type: 'start', messageId: 'p', messageMetadata: other }),
    piece({ type: 'text-delta', id: '1', delta: 'no' }),
    piece({ type: 'finish' }),
    event({ type: 'message', message: message('r', 'assistant', 'Done.', { inReplyTo: 'm' }) })
  )
  expect({ reply, pieces }).toEqual({ reply: { outcome: 'done', text: 'Done.' }, pieces: ['Done.'] })
})

test('the files of a reply are named', async () => {
  const file = { type: 'file' as const, mediaType: 'text/csv', url: '/f', filename: 'invoice.csv' }
  const whole = { ...message('r', 'assistant', ''), parts: [file] }
  const { reply } = await read(
    reset([forwarded('pending')], { status: 'idle' }),
    event({ type: 'message', message: whole })
  )
  expect(reply).toEqual({ outcome: 'done', text: '', files: ['invoice.csv'] })
})

test('a message whose external agent was asked to stop has no reply, unless the reply is there', async () => {
  const data = { state: 'delivered' as const, stopped: true as const }
  const stopped: Message = { ...mine, parts: [...mine.parts, { type: 'data-delivery', id: 'm', data }] }
  const idle = { status: 'idle' }
  await expect(
    read(reset([forwarded('pending')], idle), event({ type: 'message', message: stopped }))
  ).rejects.toMatchObject({ code: 'STOPPED' })
  await expect(read(reset([stopped], idle))).rejects.toMatchObject({ code: 'STOPPED' })
  const { reply } = await read(reset([stopped, message('r', 'assistant', 'Done.')], idle))
  expect(reply?.text).toBe('Done.')
})

test('a message that was removed or not delivered has no reply', async () => {
  const queued = reset([message('m', 'user', 'hi', { queued: 'queue' })])
  await expect(read(queued, event({ type: 'message-removed', messageId: 'm' }))).rejects.toMatchObject({
    code: 'REMOVED'
  })
  await expect(
    read(
      reset([forwarded('pending')], { status: 'idle' }),
      event({ type: 'message', message: forwarded('failed') })
    )
  ).rejects.toMatchObject({ code: 'UNDELIVERED' })
})

test('events that end first return no reply', async () => {
  expect((await read(reset([mine]), delta('Hel'))).reply).toBeUndefined()
})
