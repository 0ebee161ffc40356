import { SpanStatusCode } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterEach, expect, test, vi } from 'vitest'
import { withoutText } from './without-text.ts'

afterEach(() => vi.unstubAllEnvs())

/** Exports a span with the text WORDS in every field that can have text. */
function exportSpan(words: boolean) {
  const exporter = new InMemorySpanExporter()
  const processor = withoutText(new SimpleSpanProcessor(exporter), { words, version: '9.9' })
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
  const [exported] = exporter.getFinishedSpans()
  const { name, attributes, events, status, resource } = exported!
  return { name, attributes, events, status, service: resource.attributes }
}

test('only known names, IDs and numbers of a span are exported, and its error status', () => {
  const { service: _, ...span } = exportSpan(false)
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

test('text is exported too if it is enabled', () => {
  const { service: _, ...span } = exportSpan(true)
  expect(JSON.stringify(span).match(/WORDS/g)?.length).toBeGreaterThanOrEqual(8)
})

test("the service of a span is set by OpenTelemetry's variables", () => {
  expect(exportSpan(false).service).toMatchObject({ 'service.name': 'waystation', 'service.version': '9.9' })
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=pre%20view, service.name=a, broken=%E0')
  expect(exportSpan(false).service).toMatchObject({
    'service.name': 'a',
    'deployment.environment.name': 'pre view',
    broken: '%E0'
  })
  vi.stubEnv('OTEL_SERVICE_NAME', 'b')
  expect(exportSpan(false).service).toMatchObject({ 'service.name': 'b' })
})
