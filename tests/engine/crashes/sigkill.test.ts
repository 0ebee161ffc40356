import type { Notice } from '@waystation/protocol/session/message.ts'
import { expect, test } from 'vitest'
import { replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'
import { startWorkerProcess } from '#tests/support/servers/worker-process.ts'

/** The test starts two processes, which takes up to half a minute on a busy machine. */
const timeoutMs = 180_000

const notices = async (session: TestSession): Promise<Notice[]> =>
  (await session.get()).messages.flatMap(({ parts }) =>
    parts.flatMap(part => (part.type === 'data-notice' ? [part.data] : []))
  )

test(
  'after a kill during streaming the partial sentence shows as interrupted, is kept out of the prompt, and is generated again',
  async () => {
    const script = [replyThenHold('Once upon a time there'), replyText('Once there was a station.')]
    // This process has no worker; the workers are processes that the test kills.
    const server = await startTestServer({ script, settings: { WAYSTATION_ROLE: 'web' } })
    const first = await startWorkerProcess(server)
    const session = await server.startSession()
    await session.send('tell me a story')
    await session.waitForText('there')
    await Promise.all([first.kill(), startWorkerProcess(server)])
    await session.waitForEvent(event => event.type === 'status' && event.outcome !== undefined)
    expect(await session.agentTexts()).toEqual(['Once there was a station.'])
    expect(await notices(session)).toMatchObject([
      { kind: 'restarted', partialText: 'Once upon a time there' }
    ])
    expect(server.model.requests[1]?.body.messages).toEqual(server.model.requests[0]?.body.messages)
    await expectValidSessions(server.sql)
  },
  timeoutMs
)
