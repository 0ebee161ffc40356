import type { ConversationEvent } from '@waystation/plugin-host/contract.ts'
import type { Call } from '@waystation/protocol/call/call.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { expect, test } from 'vitest'
import { toConversationEvents } from './events-to-conversation.ts'

async function convert(...events: object[]): Promise<ConversationEvent[]> {
  async function* log() {
    yield* events.map((event, index) => ({ seq: index + 1, ...event }) as SessionEvent)
  }
  const all: ConversationEvent[] = []
  for await (const event of toConversationEvents(log(), { agentId: 'desk', sessionId: 's' })) all.push(event)
  return all
}

const call = (more: Partial<Call>) => ({
  type: 'call',
  call: { toolCallId: 'c', toolName: 'echo', kind: 'approval', state: 'open', input: { a: 1 }, ...more }
})
const turnDone = { type: 'status', outcome: 'done' }
const finish = { type: 'finish', agent: 'desk' }
const toolCall = { type: 'tool_call', agent: 'desk', tool: 'echo', args: '{"a":1}' }

test('003-17: a call is sent once when the agent makes it and once when it has a result', async () => {
  expect(
    await convert(
      call({}),
      call({ state: 'approved' }),
      call({ state: 'approved', ranAt: '2026-01-01T00:00:00Z', output: { b: 2 } }),
      call({ state: 'approved', ranAt: '2026-01-01T00:00:00Z', output: { b: 2 } }),
      turnDone
    )
  ).toEqual([
    toolCall,
    { type: 'tool_result', agent: 'desk', tool: 'echo', result: '{"b":2}', isError: false },
    finish
  ])
})

test.each([
  ['that failed', { state: 'failed', errorText: 'No.' }, '"No."'],
  ['that was declined with a reason', { state: 'denied', reason: 'Not today.' }, '"Not today."']
] as const)('003-17: a call %s has an error as its result', async (_, more, result) => {
  expect(await convert(call(more), turnDone)).toEqual([
    toolCall,
    { type: 'tool_result', agent: 'desk', tool: 'echo', result, isError: true },
    finish
  ])
})

test('003-17: a handoff is sent as a handoff and not as a call, and later events name the new agent', async () => {
  expect(
    await convert(
      call({ toolName: 'handoff_to_billing' }),
      { type: 'session', title: '', speaker: { agentId: 'billing', displayName: 'Billing' } },
      { type: 'chunk', chunk: { type: 'text-delta', id: 't', delta: 'Hello.' } },
      turnDone
    )
  ).toEqual([
    { type: 'handoff', agent: 'desk', target: 'billing' },
    { type: 'content', agent: 'billing', content: 'Hello.' },
    { type: 'finish', agent: 'billing' }
  ])
})

test('003-17: an error is sent for a failure without retry, a stop or the end of the log, but not before a retry', async () => {
  const failed = { type: 'status', outcome: 'failed', error: { message: 'Broken.' } }
  expect(await convert({ ...failed, retryAt: '2026-01-01T00:00:00Z' }, turnDone)).toEqual([finish])
  expect(await convert(failed)).toMatchObject([{ type: 'error', message: 'Broken.' }])
  for (const events of [[{ type: 'status', outcome: 'cancelled' }], [{ type: 'reset' }], []])
    expect(await convert(...events)).toMatchObject([{ type: 'error', agent: 'desk' }])
})
