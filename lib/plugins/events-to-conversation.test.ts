import { expect, test } from 'vitest'
import type { ConversationEvent } from '#lib/kernel/ports/plugin-host.ts'
import type { Call } from '#lib/protocol/call/call.ts'
import type { SessionEvent } from '#lib/protocol/session/event.ts'
import { toConversationEvents } from './events-to-conversation.ts'

async function told(...events: object[]): Promise<ConversationEvent[]> {
  async function* log() {
    yield* events.map((event, n) => ({ seq: n + 1, ...event }) as SessionEvent)
  }
  const all: ConversationEvent[] = []
  for await (const one of toConversationEvents(log(), { agentId: 'desk', sessionId: 's' })) all.push(one)
  return all
}

const call = (more: Partial<Call>) => ({
  type: 'call',
  call: { toolCallId: 'c', toolName: 'echo', kind: 'approval', state: 'open', input: { a: 1 }, ...more }
})
const done = { type: 'status', outcome: 'done' }
const finish = { type: 'finish', agent: 'desk' }
const made = { type: 'tool_call', agent: 'desk', tool: 'echo', args: '{"a":1}' }

test('003-17: a call is told once when it is made and once when its result is there', async () => {
  expect(
    await told(
      call({}),
      call({ state: 'approved' }),
      call({ state: 'approved', ranAt: '2026-01-01T00:00:00Z', output: { b: 2 } }),
      call({ state: 'approved', ranAt: '2026-01-01T00:00:00Z', output: { b: 2 } }),
      done
    )
  ).toEqual([
    made,
    { type: 'tool_result', agent: 'desk', tool: 'echo', result: '{"b":2}', isError: false },
    finish
  ])
})

test.each([
  ['that failed', { state: 'failed', errorText: 'No.' }, '"No."'],
  ['that was declined with a reason', { state: 'denied', reason: 'Not today.' }, '"Not today."']
] as const)('003-17: a call %s has an error as its result', async (_, more, result) => {
  expect(await told(call(more), done)).toEqual([
    made,
    { type: 'tool_result', agent: 'desk', tool: 'echo', result, isError: true },
    finish
  ])
})

test('003-17: a hand-over is told as one and not as a call, and who speaks then is named', async () => {
  expect(
    await told(
      call({ toolName: 'handoff_to_billing' }),
      { type: 'session', title: '', speaker: { agentId: 'billing', displayName: 'Billing' } },
      { type: 'chunk', chunk: { type: 'text-delta', id: 't', delta: 'Hello.' } },
      done
    )
  ).toEqual([
    { type: 'handoff', agent: 'desk', target: 'billing' },
    { type: 'content', agent: 'billing', content: 'Hello.' },
    { type: 'finish', agent: 'billing' }
  ])
})

test('003-17: a failure that is tried again is not told; one that stands, a stop and a log that ends are errors', async () => {
  const failed = { type: 'status', outcome: 'failed', error: { message: 'Broken.' } }
  expect(await told({ ...failed, retryAt: '2026-01-01T00:00:00Z' }, done)).toEqual([finish])
  expect(await told(failed)).toMatchObject([{ type: 'error', message: 'Broken.' }])
  for (const events of [[{ type: 'status', outcome: 'cancelled' }], [{ type: 'reset' }], []])
    expect(await told(...events)).toMatchObject([{ type: 'error', agent: 'desk' }])
})
