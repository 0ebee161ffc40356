import type { Call } from '@waystation/protocol/call/call.ts'
import type { Chunk } from '@waystation/protocol/session/event.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { readUIMessageStream, type UIMessageChunk } from 'ai'
import { expect, test } from 'vitest'
import type { PostedMessage } from './post.ts'
import { missingChunks, replay } from './replay.ts'

const at = '2026-01-01T00:00:00.000Z'
const call = (toolCallId: string, more: Partial<Call>): Call => ({
  toolCallId,
  toolName: 'paint',
  kind: 'client',
  where: 'browser',
  input: { colour: 'red', of: [1, { two: null }] },
  messageId: 'm',
  turnId: 't',
  since: at,
  deadline: at,
  onDeadline: 'error',
  state: 'open',
  ...more
})
const callList = [
  call('open', {}),
  call('answered', { state: 'answered', output: { done: [true] } }),
  call('failed', { state: 'failed', errorText: 'No red.' }),
  call('declined', { state: 'declined', reason: 'Not now.' }),
  call('asked', { kind: 'approval' }),
  call('approved', { kind: 'approval', where: 'server', state: 'approved', reason: 'Do.' }),
  call('ran', { kind: 'approval', where: 'server', state: 'approved', ranAt: at, output: 'ok' }),
  call('denied', { kind: 'approval', state: 'denied', reason: 'Never.' })
]
const calls = new Map(callList.map(state => [state.toolCallId, state]))
const tools = callList.map(({ toolCallId }) => ({ type: 'tool-paint', toolCallId, state: 'input-available' }))
const message = {
  id: 'm',
  role: 'assistant',
  parts: [
    { type: 'step-start' },
    { type: 'reasoning', id: 'r', text: 'Hm.', state: 'done' },
    { type: 'text', text: 'Look: "quotes"\nand lines', state: 'done' },
    { type: 'file', mediaType: 'text/plain', url: 'data:text/plain,x' },
    { type: 'source-url', sourceId: 's', url: 'https://example.com', title: 'Example' },
    ...tools,
    { type: 'step-start' },
    { type: 'data-notice', id: 'n', data: { kind: 'stopped', by: 'person' } },
    { type: 'text', text: 'And now', state: 'streaming' }
  ]
} as unknown as Message

/** Returns the parts that the SDK builds from chunks, optionally on top of a message that it already has. */
async function folded(chunks: Chunk[], initial?: PostedMessage) {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk as UIMessageChunk)
      controller.close()
    }
  })
  let result = initial as never as Message
  const from = initial === undefined ? {} : { message: structuredClone(initial) as never }
  for await (const message of readUIMessageStream({ ...from, stream, terminateOnError: true }))
    result = message as Message
  return result.parts.map(part => {
    const { rawInput: _r, providerExecuted: _p, ...rest } = part as Record<string, unknown>
    return JSON.parse(JSON.stringify(rest))
  })
}

const shown = (toolCallId: string) => ({
  type: 'tool-paint',
  toolCallId,
  input: { colour: 'red', of: [1, { two: null }] }
})

test('the SDK rebuilds a message from its replay, with the state of each call', async () => {
  const parts = await folded([{ type: 'start', messageId: 'm' }, ...replay(message.parts, calls)])
  expect(parts.filter(({ type }) => type !== 'tool-paint')).toEqual(
    message.parts.filter(({ type }) => type !== 'tool-paint')
  )
  expect(parts.filter(({ type }) => type === 'tool-paint')).toEqual([
    { ...shown('open'), state: 'input-available' },
    { ...shown('answered'), state: 'output-available', output: { done: [true] } },
    { ...shown('failed'), state: 'output-error', errorText: 'No red.' },
    { ...shown('declined'), state: 'output-error', errorText: 'Not now.' },
    { ...shown('asked'), state: 'approval-requested', approval: { id: 'asked' } },
    {
      ...shown('approved'),
      state: 'approval-responded',
      approval: { id: 'approved', approved: true, reason: 'Do.' }
    },
    { ...shown('ran'), state: 'output-available', output: 'ok', approval: { id: 'ran', approved: true } },
    {
      ...shown('denied'),
      state: 'output-denied',
      approval: { id: 'denied', approved: false, reason: 'Never.' }
    }
  ])
})

test('a replay offers the client only its open calls', () => {
  const offered = replay(message.parts, calls).filter(({ type }) => type === 'tool-input-available')
  expect(offered).toEqual([expect.objectContaining({ toolCallId: 'open' })])
})

test('a client that has any beginning of a message catches up to the whole message', async () => {
  const fullParts = await folded([{ type: 'start', messageId: 'm' }, ...replay(message.parts, calls)])
  for (let cut = 0; cut <= fullParts.length; cut++) {
    const clientMessage = { id: 'm', role: 'assistant', parts: fullParts.slice(0, cut) }
    const chunks = missingChunks(clientMessage, message, calls, new Set())
    expect(await folded([{ type: 'start', messageId: 'm' }, ...chunks], clientMessage), `${cut}`).toEqual(
      fullParts
    )
  }
})

test('a client that is up to date receives no chunks', async () => {
  const parts = message.parts.slice(0, -1) as Message['parts']
  const clientMessage = {
    id: 'm',
    role: 'assistant',
    parts: await folded([{ type: 'start' }, ...replay(parts, calls)])
  }
  expect(missingChunks(clientMessage, { ...message, parts }, calls, new Set())).toEqual([])
})
