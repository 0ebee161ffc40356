import { expect, test } from 'vitest'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('a call gets a warning before its deadline and expires within 2 s after it', async () => {
  const server = await startTestServer({
    script: ({ body }) =>
      body.messages.at(-1)?.role === 'user'
        ? replyCalls({ name: 'ask-question', input: { question: 'Tea?' } })
        : replyText('Then not.')
  })
  for (const seconds of [3, 4, 5]) {
    const session = await server.startSession()
    await session.runTurn('offer')
    const call = await session.waitForCall('ask-question')
    await session.extend(call, seconds)
    expect(await session.waitForSettled(call)).toMatchObject({ state: 'expired', via: 'deadline' })
    const [times] = await server.sql<{ late: number; warnedAt: number }[]>`
      select extract(epoch from settled_at - deadline)::float8 as late,
        extract(epoch from warned_at - since)::float8 / extract(epoch from deadline - since)::float8 as warned_at
      from calls where tool_call_id = ${call.toolCallId}`
    expect(times?.late).toBeGreaterThanOrEqual(0)
    expect(times?.late).toBeLessThan(2)
    expect(times?.warnedAt).toBeLessThan(1)
  }
})
