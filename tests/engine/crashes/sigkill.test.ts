import { expect, test } from 'vitest'
import { outcomeUnknown } from '#lib/calls/claim.ts'
import type { Notice } from '#lib/protocol/message.ts'
import { calls, holds, type Reply, says } from '#tests/support/fakes/openai-replies.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { startWorkerProcess } from '#tests/support/worlds/worker-process.ts'
import { type TestSession, testWorld } from '#tests/support/worlds/world.ts'

/** Two processes are started in between, which takes a full machine half a minute. */
const patience = 180_000

/** A world without a worker of its own: its workers are processes that die. */
const world = (
  script: Reply[] | ((request: unknown, index: number) => Promise<Reply>),
  more: Record<string, string> = {}
) => testWorld({ script, settings: { WAYSTATION_ROLE: 'web', ...more } })

const notices = async (session: TestSession): Promise<Notice[]> =>
  (await session.get()).messages.flatMap(({ parts }) =>
    parts.flatMap(part => (part.type === 'data-notice' ? [part.data] : []))
  )

test(
  'killed when the model was asked and had said nothing: another worker asks again',
  async () => {
    const answers = [new Promise<Reply>(() => undefined), says('Here I am.')]
    const here = await world(async (_request, index) => answers[index] ?? says('?'))
    const first = await startWorkerProcess(here)
    const session = await here.session()
    const { itemId } = await session.send('hello', { key: 'once' })
    const asked = await here.model.request(0)
    await Promise.all([first.kill(), startWorkerProcess(here)])
    const ended = await session.sees(event => event.type === 'status' && event.outcome !== undefined)
    expect(ended).toMatchObject({ outcome: 'done', status: 'idle' })
    expect(await session.said()).toEqual(['Here I am.'])
    expect((await here.model.request(1)).body.messages).toEqual(asked.body.messages)
    expect((await session.send('hello', { key: 'once' })).itemId).toBe(itemId)
    await expectSoundSessions(here.sql)
  },
  patience
)

test(
  'killed in mid-stream: the half sentence is shown as interrupted, kept out of the prompt, and said anew',
  async () => {
    const here = await world([holds('Once upon a time there'), says('Once there was a station.')])
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

test(
  'killed while a tool of ours ran: the effect happens once, and the model is told that its outcome is unknown (design 2.8)',
  async () => {
    const outside = await startOtherSystem(() => undefined)
    const here = await world(
      [
        calls({ name: 'web-fetch', input: { url: `${outside.url}/order` } }),
        says('I do not know whether it worked.')
      ],
      { WAYSTATION_EGRESS_ALLOW: outside.host }
    )
    await here.agent({ chat: { tools: [{ name: 'web-fetch' }] } })
    const first = await startWorkerProcess(here)
    const session = await here.session('test')
    await session.send('order it')
    await outside.request(0)
    const call = await session.waitsFor('web-fetch')
    await Promise.all([first.kill(), startWorkerProcess(here)])
    expect(await session.settles(call)).toMatchObject({
      state: 'failed',
      errorText: outcomeUnknown
    })
    await session.sees(event => event.type === 'status' && event.outcome !== undefined)
    expect(outside.requests).toHaveLength(1)
    expect(JSON.stringify(here.model.requests[1]?.body.messages)).toContain(outcomeUnknown)
    await expectSoundSessions(here.sql)
  },
  patience
)
