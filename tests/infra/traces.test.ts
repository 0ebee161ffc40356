import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { turnSpanContext, waitSpanContext } from '#lib/infra/observe/trace-ids.ts'
import { type Span, startCollector } from '#tests/support/fakes/collector.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { replyCalls, replyError, replyText } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

afterEach(() => vi.unstubAllEnvs())

/** Starts a collector, and returns the settings that send it all traces. */
async function withCollector(overrides: Record<string, string> = {}) {
  const collector = await startCollector()
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'way-test', ...overrides }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  return { collector, settings }
}

const childrenOf = (spans: Span[], parent: Span | undefined) =>
  spans.filter(span => span.parentSpanId !== undefined && span.parentSpanId === parent?.spanId)

test('a turn is a trace with its steps, model calls, tools and waits, and the continuing turn links to the turn and the wait', async () => {
  const { collector, settings } = await withCollector()
  await using _ = collector
  const server = await startTestServer({ settings })
  const session = await server.startSession()
  await session.runTurn(demo.askToChoose('tea', 'coffee'))
  const call = await session.waitForCall('ask-question')
  await server.advanceTime(3 * 24 * 3600)
  const ended = session.waitForNextEvent(event => event.type === 'status' && event.outcome === 'done')
  await session.answer(call, { output: { answer: 'tea' } })
  const endEvent = (await ended) as { turnId?: string }
  await server.stopServer()

  const turns = collector.spans.filter(({ name }) => name === 'turn')
  const [firstTurn, secondTurn] = [call.turnId, endEvent.turnId].map(turnId =>
    turns.find(({ attributes }) => attributes['waystation.turn.id'] === turnId)
  )
  expect(firstTurn).toMatchObject({
    traceId: turnSpanContext(call.turnId).traceId,
    spanId: turnSpanContext(call.turnId).spanId,
    links: [],
    attributes: {
      'waystation.session.id': session.id,
      'waystation.outcome': 'parked',
      'gen_ai.agent.id': 'guide',
      'waystation.steps': 1
    }
  })
  expect(firstTurn?.parentSpanId).toBeFalsy()
  expect(secondTurn?.attributes['waystation.outcome']).toBe('done')

  const [step] = childrenOf(collector.spans, firstTurn).filter(({ name }) => name === 'step')
  expect(step?.attributes).toMatchObject({ 'waystation.outcome': 'committed', 'waystation.calls': 1 })
  expect(Number(step?.attributes['gen_ai.usage.input_tokens'])).toBeGreaterThan(0)
  const [agent] = childrenOf(collector.spans, step)
  expect(agent?.name).toMatch(/^invoke_agent /)
  const models = collector.spans.filter(
    ({ name, traceId }) => name.startsWith('chat ') && traceId === firstTurn?.traceId
  )
  expect(models).toHaveLength(1)

  const [wait] = collector.spans.filter(({ name }) => name === 'wait ask-question')
  expect(wait).toMatchObject({
    traceId: firstTurn?.traceId,
    parentSpanId: firstTurn?.spanId,
    spanId: waitSpanContext(call).spanId,
    attributes: { 'gen_ai.tool.call.id': call.toolCallId, 'waystation.outcome': 'answered' }
  })
  expect((wait?.end ?? 0) - (wait?.start ?? 0)).toBeGreaterThan(3 * 24 * 3600 * 1000 - 1)

  const links = [firstTurn, wait].map(span =>
    expect.objectContaining({ traceId: span?.traceId, spanId: span?.spanId })
  )
  expect(secondTurn?.links).toEqual(links)
  const [secondStep] = childrenOf(collector.spans, secondTurn).filter(({ name }) => name === 'step')
  expect(secondStep?.links).toEqual(links)
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'way-test' })
})

test('a running tool is a span of its step', async () => {
  const { collector, settings } = await withCollector()
  await using _ = collector
  const server = await startTestServer({ settings })
  await server.saveAgent({ chat: { tools: [{ name: 'web-fetch', approval: 'auto' }] } as never })
  const session = await server.startSession('test')
  await session.runTurn('use web-fetch {"url": "http://127.0.0.1:9/secret-path"}')
  await server.stopServer()
  const tool = collector.spans.find(({ name }) => name === 'tool web-fetch')
  const step = collector.spans.find(({ spanId }) => spanId === tool?.parentSpanId)
  expect(step?.name).toBe('step')
  expect(tool?.traceId).toBe(step?.traceId)
  expect(tool?.attributes).toMatchObject({ 'gen_ai.tool.name': 'web-fetch', 'waystation.outcome': 'error' })
  expect(tool?.attributes['gen_ai.tool.call.id']).toMatch(/^call_/)
})

const runTurnWith = async (settings: Record<string, string>) => {
  const server = await startTestServer({
    settings,
    script: [
      replyCalls({ name: 'ask-question', input: { question: 'Which colour, MODELWORDS?' } }),
      replyText('MODELWORDS again')
    ]
  })
  await server.saveAgent({
    chat: { instructions: 'INSTRUCTIONWORDS', tools: [{ name: 'ask-question' }] } as never
  })
  const session = await server.startSession('test')
  await session.runTurn('PERSONWORDS')
  const call = await session.waitForCall('ask-question')
  const ended = session.waitForNextEvent(event => event.type === 'status' && event.outcome === 'done')
  await session.answer(call, { output: { answer: 'ANSWERWORDS' } })
  await ended
  await server.stopServer()
}

test('traces contain no text of users and models', async () => {
  const { collector, settings } = await withCollector()
  await using _ = collector
  await runTurnWith(settings)
  expect(collector.spans.some(({ name }) => name.startsWith('chat '))).toBe(true)
  expect(collector.raw()).not.toMatch(/PERSONWORDS|MODELWORDS|INSTRUCTIONWORDS|ANSWERWORDS/)
})

test('with WAYSTATION_TRACE_CONTENT, traces contain the text of users and models', async () => {
  const { collector, settings } = await withCollector({ WAYSTATION_TRACE_CONTENT: '1' })
  await using _ = collector
  await runTurnWith(settings)
  for (const word of ['PERSONWORDS', 'MODELWORDS', 'INSTRUCTIONWORDS'])
    expect(collector.raw()).toContain(word)
})

test('traces do not contain the error text of a provider', async () => {
  const { collector, settings } = await withCollector()
  await using _ = collector
  const server = await startTestServer({
    settings,
    script: [replyError(400, { message: 'PROVIDERWORDS' })]
  })
  await server.saveAgent({})
  const session = await server.startSession('test')
  expect((await session.runTurn('hello')).outcome).toBe('failed')
  await server.stopServer()
  expect(collector.spans.find(({ name }) => name === 'turn')).toMatchObject({
    status: { code: 2 },
    attributes: { 'waystation.outcome': 'failed' }
  })
  expect(collector.spans.find(({ name }) => name === 'step')?.attributes['waystation.outcome']).toBe(
    'not committed'
  )
  expect(collector.raw()).not.toContain('PROVIDERWORDS')
})

test('sampling applies to whole turns', async () => {
  const { collector, settings } = await withCollector({
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0'
  })
  await using _ = collector
  const server = await startTestServer({ settings })
  await (await server.startSession()).runTurn('hello')
  await server.stopServer()
  expect(collector.spans).toEqual([])
})

test('an unreachable collector only causes a line in the log', async () => {
  const { collector, settings } = await withCollector()
  await collector[Symbol.asyncDispose]()
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
  onTestFinished(() => spy.mockRestore())
  const server = await startTestServer({ settings })
  const endEvent = await (await server.startSession()).runTurn('hello')
  await server.stopServer()
  const lines = spy.mock.calls.map(([line]) => String(line))
  expect(endEvent.outcome).toBe('done')
  expect(lines.filter(line => line.includes('Traces could not be written'))).not.toEqual([])
})

test('a step shows which part of its input the provider read from its cache', async () => {
  const { collector, settings } = await withCollector()
  await using _ = collector
  const tokens = { input: 100, output: 5, cached: 80 }
  const { startSession, stopServer } = await startTestServer({
    settings,
    script: [replyText('Hi.', { tokens })]
  })
  await (await startSession()).runTurn('Hello')
  await stopServer()
  expect(collector.spans.find(({ name }) => name === 'step')?.attributes).toMatchObject({
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.cache_read.input_tokens': 80,
    'gen_ai.usage.cache_creation.input_tokens': 0
  })
})
