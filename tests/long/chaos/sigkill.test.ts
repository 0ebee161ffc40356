import { expect, test } from 'vitest'
import { outcomeUnknown } from '#lib/engine/calls/claim.ts'
import { startOtherSystem } from '#tests/support/fakes/external-system.ts'
import { calls, holds, type Reply, says } from '#tests/support/fakes/openai-replies.ts'
import type { ModelRequest } from '#tests/support/fakes/openai-server.ts'
import { expectSoundSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { testWorld } from '#tests/support/servers/test-server.ts'
import { startWorkerProcess } from '#tests/support/servers/worker-process.ts'

/**
 * Maximum time in milliseconds until another worker continues. A worker is considered dead after 3.5 s, and the
 * reaper runs twice a second. The rest is reserve for a busy machine.
 */
const maxTakeoverMs = 15_000
/** Two processes start during a test, which takes a busy machine half a minute. */
const timeout = 180_000

/** Starts a web server. The workers are separate processes that the tests kill. */
const startWeb = (
  script: Reply[] | ((request: unknown, index: number) => Promise<Reply>),
  more: Record<string, string> = {}
) => testWorld({ script, settings: { WAYSTATION_ROLE: 'web', ...more } })

test(
  'after a kill in the middle of a stream, another worker repeats the model call within 15 s',
  async ({ annotate }) => {
    const world = await startWeb([holds('Once upon a time there'), says('Once there was a station.')])
    const first = await startWorkerProcess(world)
    const session = await world.session()
    await session.send('tell me a story')
    await session.reads('there')
    // Start the worker before the kill, so that its start time does not count.
    await startWorkerProcess(world)
    const killed = Date.now()
    await first.kill()
    await world.model.request(1)
    const elapsed = Date.now() - killed
    expect(elapsed).toBeLessThan(maxTakeoverMs)
    await annotate(`the model was asked again ${(elapsed / 1000).toFixed(1)} s after SIGKILL`)
    await session.sees(event => event.type === 'status' && event.outcome !== undefined)
    await expectSoundSessions(world.sql)
  },
  timeout
)

test(
  '001-16: after a kill during the work of a sub-agent, another worker does the work once, and the parent agent gets the result',
  async () => {
    const lastContent = (request: unknown) =>
      JSON.stringify((request as ModelRequest).body.messages.at(-1)?.content)
    let requests = 0
    const world = await startWeb(async request => {
      if (lastContent(request).includes('count birds'))
        return requests++ === 0 ? holds('Five') : says('Seven birds.')
      if (lastContent(request).includes('go'))
        return calls({ name: 'spawn-agent', input: { task: 'count birds' } })
      return says('There are seven.')
    })
    await world.agent({ chat: { tools: [{ name: 'spawn-agent' }] } })
    const first = await startWorkerProcess(world)
    const session = await world.session('test')
    await session.send('go')
    const call = await session.waitsFor('spawn-agent')
    await world.model.request(1)
    await Promise.all([first.kill(), startWorkerProcess(world)])
    const done = session.sees(event => event.type === 'status' && event.outcome === 'done')
    expect(await session.settles(call)).toMatchObject({
      state: 'answered',
      output: { result: 'Seven birds.' }
    })
    await done
    expect(await session.said()).toEqual([expect.stringContaining('There are seven.')])
    expect(await world.sql`select from sessions where parent_key = ${session.key}`).toHaveLength(1)
    await expectSoundSessions(world.sql)
  },
  timeout
)

test(
  'after a kill right after an answer was accepted, the answer is recorded and the session continues',
  async () => {
    const world = await startWeb([
      calls({ name: 'ask-question', input: { question: 'Tea?' } }),
      says('Tea it is.')
    ])
    const first = await startWorkerProcess(world)
    const session = await world.session()
    await session.says('offer me something')
    const call = await session.waitsFor('ask-question')
    const accepted = await session.answer(call, { output: { answer: 'yes' } })
    await Promise.all([first.kill(), startWorkerProcess(world)])
    expect(await session.answer(call, { output: { answer: 'yes' } })).toEqual(accepted)
    await session.reads('Tea it is.')
    await session.sees(event => event.type === 'status' && event.outcome === 'done')
    await expectSoundSessions(world.sql)
  },
  timeout
)

test(
  'a kill while a session is parked has no effect: the call keeps its ID and deadline, and its answer continues the turn',
  async () => {
    const world = await startWeb([
      calls({ name: 'ask-question', input: { question: 'Tea?' } }),
      says('Tea it is.')
    ])
    const first = await startWorkerProcess(world)
    const session = await world.session()
    await session.says('offer me something')
    const before = await session.waitsFor('ask-question')
    await Promise.all([first.kill(), startWorkerProcess(world)])
    expect((await session.get()).session.waitingFor).toEqual([before])
    await session.answer(before, { output: { answer: 'yes' } })
    expect(await session.ends()).toMatchObject({ outcome: 'done' })
    await expectSoundSessions(world.sql)
  },
  timeout
)

test(
  'after a kill in the middle of a turn, the step budget continues, and the interrupted step counts once',
  async () => {
    const step = (n: number) => calls({ name: 'nothing', input: { n } })
    const world = await startWeb(async (_request, index) => (index === 2 ? holds('Let me see') : step(index)))
    await world.agent({ chat: { limits: { stepsPerTurn: 4, usdPerTurn: 0, contextTokens: 120_000 } } })
    const first = await startWorkerProcess(world)
    const session = await world.session('test')
    await session.send('go')
    await session.reads('see')
    await Promise.all([first.kill(), startWorkerProcess(world)])
    const limit = await session.waitsFor('continue')
    expect(limit.input).toMatchObject({ reason: expect.stringContaining('4 steps') })
    await session.sees(event => event.type === 'status' && event.outcome === 'parked')
    // Two steps, the interrupted one, its retry, and the fourth step.
    expect(world.model.requests).toHaveLength(5)
    await expectSoundSessions(world.sql)
  },
  timeout
)

test(
  'if a turn is cancelled after a kill, before another worker takes over, the streamed text stays and the model knows it',
  async () => {
    const world = await startWeb([holds('One two three'), says('Going on.')])
    const first = await startWorkerProcess(world)
    const session = await world.session()
    await session.send('count')
    await session.reads('three')
    await first.kill()
    const ended = session.ends()
    await session.cancel()
    await startWorkerProcess(world)
    expect(await ended).toMatchObject({ outcome: 'cancelled' })
    const [message] = (await session.get()).messages.filter(({ role }) => role === 'assistant')
    expect(message?.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'text', text: 'One two three', state: 'done' },
      { type: 'data-notice', data: { kind: 'stopped' } }
    ])
    await session.says('go on')
    expect(JSON.stringify((await world.model.request(1)).body.messages)).toContain('One two three')
    await expectSoundSessions(world.sql)
  },
  timeout
)

test(
  'after a kill between the model call and its first output, another worker repeats the call',
  async () => {
    const replies = [new Promise<Reply>(() => undefined), says('Here I am.')]
    const world = await startWeb(async (_request, index) => replies[index] ?? says('?'))
    const first = await startWorkerProcess(world)
    const session = await world.session()
    const { itemId } = await session.send('hello', { key: 'once' })
    const request = await world.model.request(0)
    await Promise.all([first.kill(), startWorkerProcess(world)])
    const ended = await session.sees(event => event.type === 'status' && event.outcome !== undefined)
    expect(ended).toMatchObject({ outcome: 'done', status: 'idle' })
    expect(await session.said()).toEqual(['Here I am.'])
    expect((await world.model.request(1)).body.messages).toEqual(request.body.messages)
    expect((await session.send('hello', { key: 'once' })).itemId).toBe(itemId)
    await expectSoundSessions(world.sql)
  },
  timeout
)

test(
  'after a kill while a server tool runs, its effect happens once, and the model learns that the outcome is unknown',
  async () => {
    const outside = await startOtherSystem(() => undefined)
    const world = await startWeb(
      [
        calls({ name: 'web-fetch', input: { url: `${outside.url}/order` } }),
        says('I do not know whether it worked.')
      ],
      { WAYSTATION_EGRESS_ALLOW: outside.host }
    )
    await world.agent({ chat: { tools: [{ name: 'web-fetch' }] } })
    const first = await startWorkerProcess(world)
    const session = await world.session('test')
    await session.send('order it')
    await outside.request(0)
    const call = await session.waitsFor('web-fetch')
    await Promise.all([first.kill(), startWorkerProcess(world)])
    expect(await session.settles(call)).toMatchObject({
      state: 'failed',
      errorText: outcomeUnknown
    })
    await session.sees(event => event.type === 'status' && event.outcome !== undefined)
    expect(outside.requests).toHaveLength(1)
    expect(JSON.stringify(world.model.requests[1]?.body.messages)).toContain(outcomeUnknown)
    await expectSoundSessions(world.sql)
  },
  timeout
)
