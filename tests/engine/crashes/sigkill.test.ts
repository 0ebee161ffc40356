import { expect, test } from 'vitest'
import type { Notice } from '#lib/protocol/session/message.ts'
import { holds, says } from '#tests/support/fakes/openai-replies.ts'
import { expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { startWorkerProcess } from '#tests/support/worlds/worker-process.ts'
import { type TestSession, testWorld } from '#tests/support/worlds/world.ts'

/** Two processes are started in between, which takes a full machine half a minute. */
const patience = 180_000

const notices = async (session: TestSession): Promise<Notice[]> =>
  (await session.get()).messages.flatMap(({ parts }) =>
    parts.flatMap(part => (part.type === 'data-notice' ? [part.data] : []))
  )

test(
  'killed in mid-stream: the half sentence is shown as interrupted, kept out of the prompt, and said anew',
  async () => {
    const script = [holds('Once upon a time there'), says('Once there was a station.')]
    // Without a worker of its own: its workers are processes that die.
    const here = await testWorld({ script, settings: { WAYSTATION_ROLE: 'web' } })
    const first = await startWorkerProcess(here)
    const session = await here.session()
    await session.send('tell me a story')
    await session.reads('there')
    await Promise.all([first.kill(), startWorkerProcess(here)])
    await session.sees(event => event.type === 'status' && event.outcome !== undefined)
    expect(await session.said()).toEqual(['Once there was a station.'])
    expect(await notices(session)).toMatchObject([
      { kind: 'restarted', partialText: 'Once upon a time there' }
    ])
    expect(here.model.requests[1]?.body.messages).toEqual(here.model.requests[0]?.body.messages)
    await expectSoundSessions(here.sql)
  },
  patience
)
