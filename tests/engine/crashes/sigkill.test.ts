import type { Notice } from '@waystation/protocol/session/message.ts'
import { expect, test } from 'vitest'
import { holds, says } from '#tests/support/fakes/openai-replies.ts'
import { expectSoundSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { type TestSession, testWorld } from '#tests/support/servers/test-server.ts'
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
    const script = [holds('Once upon a time there'), says('Once there was a station.')]
    // This process has no worker; the workers are processes that the test kills.
    const world = await testWorld({ script, settings: { WAYSTATION_ROLE: 'web' } })
    const first = await startWorkerProcess(world)
    const session = await world.session()
    await session.send('tell me a story')
    await session.reads('there')
    await Promise.all([first.kill(), startWorkerProcess(world)])
    await session.sees(event => event.type === 'status' && event.outcome !== undefined)
    expect(await session.said()).toEqual(['Once there was a station.'])
    expect(await notices(session)).toMatchObject([
      { kind: 'restarted', partialText: 'Once upon a time there' }
    ])
    expect(world.model.requests[1]?.body.messages).toEqual(world.model.requests[0]?.body.messages)
    await expectSoundSessions(world.sql)
  },
  timeoutMs
)
