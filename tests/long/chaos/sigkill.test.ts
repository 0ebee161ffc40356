import { expect, test } from 'vitest'
import { outcomeUnknown } from '#lib/engine/calls/claim.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { type Reply, replyCalls, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
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
) => startTestServer({ script, settings: { WAYSTATION_ROLE: 'web', ...more } })

test(
  'after a kill in the middle of a stream, another worker repeats the model call within 15 s',
  async ({ annotate }) => {
    const server = await startWeb([
      replyThenHold('Once upon a time there'),
      replyText('Once there was a station.')
    ])
    const first = await startWorkerProcess(server)
    const session = await server.startSession()
    await session.send('tell me a story')
    await session.waitForText('there')
    // Start the worker before the kill, so that its start time does not count.
    await startWorkerProcess(server)
    const killed = Date.now()
    await first.kill()
    await server.model.request(1)
    const elapsed = Date.now() - killed
    expect(elapsed).toBeLessThan(maxTakeoverMs)
    await annotate(`the model was asked again ${(elapsed / 1000).toFixed(1)} s after SIGKILL`)
    await session.waitForEvent(event => event.type === 'status' && event.outcome !== undefined)
    await expectValidSessions(server.sql)
  },
  timeout
)

test(
  '001-16: after a kill during the work of a sub-agent, another worker does the work once, and the parent agent gets the result',
  async () => {
    const lastContent = (request: unknown) =>
      JSON.stringify((request as ModelRequest).body.messages.at(-1)?.content)
    let requests = 0
    const server = await startWeb(async request => {
      if (lastContent(request).includes('count birds'))
        return requests++ === 0 ? replyThenHold('Five') : replyText('Seven birds.')
      if (lastContent(request).includes('go'))
        return replyCalls({ name: 'spawn-agent', input: { task: 'count birds' } })
      return replyText('There are seven.')
    })
    await server.saveAgent({ chat: { tools: [{ name: 'spawn-agent' }] } })
    const first = await startWorkerProcess(server)
    const session = await server.startSession('test')
    await session.send('go')
    const call = await session.waitForCall('spawn-agent')
    await server.model.request(1)
    await Promise.all([first.kill(), startWorkerProcess(server)])
    const done = session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
    expect(await session.waitForSettled(call)).toMatchObject({
      state: 'answered',
      output: { result: 'Seven birds.' }
    })
    await done
    expect(await session.agentTexts()).toEqual([expect.stringContaining('There are seven.')])
    expect(await server.sql`select from sessions where parent_key = ${session.key}`).toHaveLength(1)
    await expectValidSessions(server.sql)
  },
  timeout
)

test(
  'after a kill right after an answer was accepted, the answer is recorded and the session continues',
  async () => {
    const server = await startWeb([
      replyCalls({ name: 'ask-question', input: { question: 'Tea?' } }),
      replyText('Tea it is.')
    ])
    const first = await startWorkerProcess(server)
    const session = await server.startSession()
    await session.runTurn('offer me something')
    const call = await session.waitForCall('ask-question')
    const accepted = await session.answer(call, { output: { answer: 'yes' } })
    await Promise.all([first.kill(), startWorkerProcess(server)])
    expect(await session.answer(call, { output: { answer: 'yes' } })).toEqual(accepted)
    await session.waitForText('Tea it is.')
    await session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
    await expectValidSessions(server.sql)
  },
  timeout
)

test(
  'a kill while a session is parked has no effect: the call keeps its ID and deadline, and its answer continues the turn',
  async () => {
    const server = await startWeb([
      replyCalls({ name: 'ask-question', input: { question: 'Tea?' } }),
      replyText('Tea it is.')
    ])
    const first = await startWorkerProcess(server)
    const session = await server.startSession()
    await session.runTurn('offer me something')
    const before = await session.waitForCall('ask-question')
    await Promise.all([first.kill(), startWorkerProcess(server)])
    expect((await session.get()).session.waitingFor).toEqual([before])
    await session.answer(before, { output: { answer: 'yes' } })
    expect(await session.waitForEnd()).toMatchObject({ outcome: 'done' })
    await expectValidSessions(server.sql)
  },
  timeout
)

test(
  'after a kill in the middle of a turn, the step budget continues, and the interrupted step counts once',
  async () => {
    const step = (n: number) => replyCalls({ name: 'nothing', input: { n } })
    const server = await startWeb(async (_request, index) =>
      index === 2 ? replyThenHold('Let me see') : step(index)
    )
    await server.saveAgent({ chat: { limits: { stepsPerTurn: 4, usdPerTurn: 0, contextTokens: 120_000 } } })
    const first = await startWorkerProcess(server)
    const session = await server.startSession('test')
    await session.send('go')
    await session.waitForText('see')
    await Promise.all([first.kill(), startWorkerProcess(server)])
    const limit = await session.waitForCall('continue')
    expect(limit.input).toMatchObject({ reason: expect.stringContaining('4 steps') })
    await session.waitForEvent(event => event.type === 'status' && event.outcome === 'parked')
    // Two steps, the interrupted one, its retry, and the fourth step.
    expect(server.model.requests).toHaveLength(5)
    await expectValidSessions(server.sql)
  },
  timeout
)

test(
  'if a turn is cancelled after a kill, before another worker takes over, the streamed text stays and the model knows it',
  async () => {
    const server = await startWeb([replyThenHold('One two three'), replyText('Going on.')])
    const first = await startWorkerProcess(server)
    const session = await server.startSession()
    await session.send('count')
    await session.waitForText('three')
    await first.kill()
    const ended = session.waitForEnd()
    await session.cancel()
    await startWorkerProcess(server)
    expect(await ended).toMatchObject({ outcome: 'cancelled' })
    const [message] = (await session.get()).messages.filter(({ role }) => role === 'assistant')
    expect(message?.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'text', text: 'One two three', state: 'done' },
      { type: 'data-notice', data: { kind: 'stopped' } }
    ])
    await session.runTurn('go on')
    expect(JSON.stringify((await server.model.request(1)).body.messages)).toContain('One two three')
    await expectValidSessions(server.sql)
  },
  timeout
)

test(
  'after a kill between the model call and its first output, another worker repeats the call',
  async () => {
    const replies = [new Promise<Reply>(() => undefined), replyText('Here I am.')]
    const server = await startWeb(async (_request, index) => replies[index] ?? replyText('?'))
    const first = await startWorkerProcess(server)
    const session = await server.startSession()
    const { itemId } = await session.send('hello', { key: 'once' })
    const request = await server.model.request(0)
    await Promise.all([first.kill(), startWorkerProcess(server)])
    const ended = await session.waitForEvent(event => event.type === 'status' && event.outcome !== undefined)
    expect(ended).toMatchObject({ outcome: 'done', status: 'idle' })
    expect(await session.agentTexts()).toEqual(['Here I am.'])
    expect((await server.model.request(1)).body.messages).toEqual(request.body.messages)
    expect((await session.send('hello', { key: 'once' })).itemId).toBe(itemId)
    await expectValidSessions(server.sql)
  },
  timeout
)

test(
  'after a kill while a server tool runs, its effect happens once, and the model learns that the outcome is unknown',
  async () => {
    const externalSystem = await startExternalSystem(() => undefined)
    const server = await startWeb(
      [
        replyCalls({ name: 'web-fetch', input: { url: `${externalSystem.url}/order` } }),
        replyText('I do not know whether it worked.')
      ],
      { WAYSTATION_EGRESS_ALLOW: externalSystem.host }
    )
    await server.saveAgent({ chat: { tools: [{ name: 'web-fetch' }] } })
    const first = await startWorkerProcess(server)
    const session = await server.startSession('test')
    await session.send('order it')
    await externalSystem.request(0)
    const call = await session.waitForCall('web-fetch')
    await Promise.all([first.kill(), startWorkerProcess(server)])
    expect(await session.waitForSettled(call)).toMatchObject({
      state: 'failed',
      errorText: outcomeUnknown
    })
    await session.waitForEvent(event => event.type === 'status' && event.outcome !== undefined)
    expect(externalSystem.requests).toHaveLength(1)
    expect(JSON.stringify(server.model.requests[1]?.body.messages)).toContain(outcomeUnknown)
    await expectValidSessions(server.sql)
  },
  timeout
)
