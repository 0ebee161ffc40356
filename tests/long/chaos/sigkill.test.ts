import { expect, test } from 'vitest'
import { outcomeUnknown } from '#lib/engine/calls/claim.ts'
import { calls, holds, type Reply, says } from '#tests/support/fakes/openai-replies.ts'
import type { ModelRequest } from '#tests/support/fakes/openai-server.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { startWorkerProcess } from '#tests/support/worlds/worker-process.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

/** A dead worker counts as dead after 3.5 s; the reaper looks twice a second. The rest is for a busy machine. */
const takeover = 15_000
/** Two processes are started in between, which takes a full machine half a minute. */
const patience = 180_000

/** A world without a worker of its own: its workers are processes that die. */
const world = (
  script: Reply[] | ((request: unknown, index: number) => Promise<Reply>),
  more: Record<string, string> = {}
) => testWorld({ script, settings: { WAYSTATION_ROLE: 'web', ...more } })

test(
  'killed in mid-stream: another worker asks the model again within 15 s',
  async ({ annotate }) => {
    const here = await world([holds('Once upon a time there'), says('Once there was a station.')])
    const first = await startWorkerProcess(here)
    const session = await here.session()
    await session.send('tell me a story')
    await session.reads('there')
    // It is there already: how long a process takes to start is not what is looked at.
    await startWorkerProcess(here)
    const killed = Date.now()
    await first.kill()
    await here.model.request(1)
    const after = Date.now() - killed
    expect(after).toBeLessThan(takeover)
    await annotate(`the model was asked again ${(after / 1000).toFixed(1)} s after SIGKILL`)
    await session.sees(event => event.type === 'status' && event.outcome !== undefined)
    await expectSoundSessions(here.sql)
  },
  patience
)

test(
  '001-16: killed while a sub-agent worked: it is done by another worker, once, and the agent above goes on with its words',
  async () => {
    const told = (request: unknown) => JSON.stringify((request as ModelRequest).body.messages.at(-1)?.content)
    let asked = 0
    const here = await world(async request => {
      if (told(request).includes('count birds')) return asked++ === 0 ? holds('Five') : says('Seven birds.')
      if (told(request).includes('go')) return calls({ name: 'spawn-agent', input: { task: 'count birds' } })
      return says('There are seven.')
    })
    await here.agent({ chat: { tools: [{ name: 'spawn-agent' }] } })
    const first = await startWorkerProcess(here)
    const session = await here.session('test')
    await session.send('go')
    const call = await session.waitsFor('spawn-agent')
    await here.model.request(1)
    await Promise.all([first.kill(), startWorkerProcess(here)])
    const over = session.sees(event => event.type === 'status' && event.outcome === 'done')
    expect(await session.settles(call)).toMatchObject({
      state: 'answered',
      output: { result: 'Seven birds.' }
    })
    await over
    expect(await session.said()).toEqual([expect.stringContaining('There are seven.')])
    expect(await here.sql`select from sessions where parent_key = ${session.key}`).toHaveLength(1)
    await expectSoundSessions(here.sql)
  },
  patience
)

test(
  'killed right after an answer was accepted: the answer counts, and the session goes on',
  async () => {
    const here = await world([
      calls({ name: 'ask-question', input: { question: 'Tea?' } }),
      says('Tea it is.')
    ])
    const first = await startWorkerProcess(here)
    const session = await here.session()
    await session.says('offer me something')
    const call = await session.waitsFor('ask-question')
    const accepted = await session.answer(call, { output: { answer: 'yes' } })
    await Promise.all([first.kill(), startWorkerProcess(here)])
    expect(await session.answer(call, { output: { answer: 'yes' } })).toEqual(accepted)
    await session.reads('Tea it is.')
    await session.sees(event => event.type === 'status' && event.outcome === 'done')
    await expectSoundSessions(here.sql)
  },
  patience
)

test(
  'killed while parked: nothing happens; the call stays open with its ID and deadline, and its answer goes on',
  async () => {
    const here = await world([
      calls({ name: 'ask-question', input: { question: 'Tea?' } }),
      says('Tea it is.')
    ])
    const first = await startWorkerProcess(here)
    const session = await here.session()
    await session.says('offer me something')
    const before = await session.waitsFor('ask-question')
    await Promise.all([first.kill(), startWorkerProcess(here)])
    expect((await session.get()).session.waitingFor).toEqual([before])
    await session.answer(before, { output: { answer: 'yes' } })
    expect(await session.ends()).toMatchObject({ outcome: 'done' })
    await expectSoundSessions(here.sql)
  },
  patience
)

test(
  'killed in the middle of a turn: its budget of steps goes on, not anew, and the step that was cut off counts once',
  async () => {
    const step = (n: number) => calls({ name: 'nothing', input: { n } })
    const here = await world(async (_request, index) => (index === 2 ? holds('Let me see') : step(index)))
    await here.agent({ chat: { limits: { stepsPerTurn: 4, usdPerTurn: 0, contextTokens: 120_000 } } })
    const first = await startWorkerProcess(here)
    const session = await here.session('test')
    await session.send('go')
    await session.reads('see')
    await Promise.all([first.kill(), startWorkerProcess(here)])
    const asked = await session.waitsFor('continue')
    expect(asked.input).toMatchObject({ reason: expect.stringContaining('4 steps') })
    await session.sees(event => event.type === 'status' && event.outcome === 'parked')
    // Two, the one that was cut off, that one again, and the fourth.
    expect(here.model.requests).toHaveLength(5)
    await expectSoundSessions(here.sql)
  },
  patience
)

test(
  'killed in mid-stream and stopped before anybody noticed: what the person had read stays, and the model knows it',
  async () => {
    const here = await world([holds('One two three'), says('Going on.')])
    const first = await startWorkerProcess(here)
    const session = await here.session()
    await session.send('count')
    await session.reads('three')
    await first.kill()
    const ended = session.ends()
    await session.cancel()
    await startWorkerProcess(here)
    expect(await ended).toMatchObject({ outcome: 'cancelled' })
    const [message] = (await session.get()).messages.filter(({ role }) => role === 'assistant')
    expect(message?.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'text', text: 'One two three', state: 'done' },
      { type: 'data-notice', data: { kind: 'stopped' } }
    ])
    await session.says('go on')
    expect(JSON.stringify((await here.model.request(1)).body.messages)).toContain('One two three')
    await expectSoundSessions(here.sql)
  },
  patience
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
  'killed while a tool of ours ran: the effect happens once, and the model is told that its outcome is unknown',
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
