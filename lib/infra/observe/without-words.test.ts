import { SpanStatusCode } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterEach, expect, test, vi } from 'vitest'
import { withoutWords } from './without-words.ts'

afterEach(() => vi.unstubAllEnvs())

/** A span that says WORDS wherever it can, as it is passed on. */
function passedOn(words: boolean) {
  const exporter = new InMemorySpanExporter()
  const processor = withoutWords(new SimpleSpanProcessor(exporter), { words, version: '9.9' })
  const span = new NodeTracerProvider({ spanProcessors: [processor] })
    .getTracer('test')
    .startSpan('chat model')
  span.setAttributes({
    'gen_ai.request.model': 'model',
    'gen_ai.usage.input_tokens': 7,
    'gen_ai.tool.call.id': 'call_1',
    'gen_ai.input.messages': 'WORDS',
    'gen_ai.system_instructions': 'WORDS',
    'gen_ai.tool.call.arguments': 'WORDS',
    'gen_ai.tool.definitions': 'WORDS',
    'gen_ai.request.stop_sequences': 'WORDS',
    'ai.prompt': 'WORDS'
  })
  span.recordException(new Error('WORDS'))
  span.setStatus({ code: SpanStatusCode.ERROR, message: 'WORDS' })
  span.end()
  const [passed] = exporter.getFinishedSpans()
  const { name, attributes, events, status, resource } = passed!
  return { name, attributes, events, status, service: resource.attributes }
}

test('of a span only names, IDs and numbers that are known are passed on, and that it failed', () => {
  const { service: _, ...span } = passedOn(false)
  expect(span).toEqual({
    name: 'chat model',
    attributes: {
      'gen_ai.request.model': 'model',
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.tool.call.id': 'call_1'
    },
    events: [],
    status: { code: SpanStatusCode.ERROR }
  })
})

test('asked for, the words are passed on too', () => {
  const { service: _, ...span } = passedOn(true)
  expect(JSON.stringify(span).match(/WORDS/g)?.length).toBeGreaterThanOrEqual(8)
})

test('a span is of this service, by the variables that OpenTelemetry has for it', () => {
  expect(passedOn(false).service).toMatchObject({ 'service.name': 'waystation', 'service.version': '9.9' })
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=pre%20view, service.name=a, broken=%E0')
  expect(passedOn(false).service).toMatchObject({
    'service.name': 'a',
    'deployment.environment.name': 'pre view',
    broken: '%E0'
  })
  vi.stubEnv('OTEL_SERVICE_NAME', 'b')
  expect(passedOn(false).service).toMatchObject({ 'service.name': 'b' })
})
