import { expect, test } from 'vitest'
import { answerCalls } from '#lib/features/approvals/answer-calls.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('one request approves several calls, each by itself: an error of one call does not stop the others', async () => {
  const asks = replyCalls({ name: 'web-fetch', input: { url: 'https://example.invalid/' } })
  const server = await startTestServer({ script: [asks, asks, asks, replyText('Done.'), replyText('Done.')] })
  await server.saveAgent({ chat: { tools: [{ name: 'web-fetch', approval: 'ask' }] } })
  const opened = []
  for (let at = 0; at < 3; at++) {
    const session = await server.startSession('test')
    await session.runTurn('fetch it')
    const { toolCallId, since } = await session.waitForCall('web-fetch')
    opened.push({ session, of: { sessionId: session.id, toolCallId, since } })
  }
  const [one, two, three] = opened.map(({ of }) => of)
  const calls = [
    one!,
    { ...two!, since: '2026-01-01T00:00:00.000Z' },
    { sessionId: 'nowhere', toolCallId: 'none' },
    three!
  ]
  const ids = ({ sessionId, toolCallId }: { sessionId: string; toolCallId: string }) => ({
    sessionId,
    toolCallId
  })
  const answered = () => answerCalls(server.ctx, { calls, approved: true })
  const outcomes = [
    { ...ids(one!), state: 'approved' },
    { ...ids(two!), error: { code: 'CONFLICT' } },
    { sessionId: 'nowhere', error: { code: 'NOT_FOUND' } },
    { ...ids(three!), state: 'approved' }
  ]
  expect((await answered()).results).toMatchObject(outcomes)
  // Like a single answer, the request can be repeated.
  expect((await answered()).results).toMatchObject(outcomes)
  expect((await opened[1]!.session.waitForCall('web-fetch')).state).toBe('open')
  const declined = await answerCalls(server.ctx, { calls: [one!, two!], approved: false, reason: 'Not now' })
  expect(declined.results).toMatchObject([
    { error: { code: 'ALREADY_SETTLED' } },
    { ...ids(two!), state: 'denied' }
  ])
})
