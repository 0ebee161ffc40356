import { hostname } from 'node:os'
import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-node'

/**
 * Passes spans on without what people and models said: only attributes that are known to be numbers, names and IDs, and
 * of an error that there was one. With `words`, as they are. Every span comes to be this service's
 * (`OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`).
 */
export function withoutWords(
  next: SpanProcessor,
  { words, version }: { words: boolean; version: string }
): SpanProcessor {
  const service = serviceAttributes(version)
  let resource: ReadableSpan['resource'] | undefined
  return {
    onStart: (span, context) => next.onStart(span, context),
    onEnd(span) {
      resource ??= Object.create(span.resource, {
        attributes: { value: { ...span.resource.attributes, ...service } }
      }) as ReadableSpan['resource']
      const own = { resource: { value: resource } }
      const silent = {
        attributes: { value: onlyKnown(span.attributes) },
        events: { value: [] },
        status: { value: { code: span.status.code } }
      }
      next.onEnd(Object.create(span, words ? own : { ...own, ...silent }) as ReadableSpan)
    },
    forceFlush: () => next.forceFlush(),
    shutdown: () => next.shutdown()
  }
}

/** Ours, and the semantic conventions' for models without their messages, instructions, definitions and arguments. */
const known =
  /^(waystation\.|server\.|error\.type$|gen_ai\.(operation\.name|provider\.name|request\.(?!stop_sequences)|response\.|usage\.|client\.|agent\.|output\.type|conversation\.id|tool\.(name|type|call\.id)$))/

const onlyKnown = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => known.test(name)))

function serviceAttributes(version: string): Attributes {
  const { OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES = '' } = process.env
  const given = OTEL_RESOURCE_ATTRIBUTES.split(',').flatMap(pair => {
    const [name = '', value] = pair.split('=', 2).map(part => part.trim())
    return value === undefined ? [] : [[name, decoded(value)]]
  })
  return {
    'service.version': version,
    'host.name': hostname(),
    'process.pid': process.pid,
    'service.name': 'waystation',
    ...Object.fromEntries(given),
    ...(OTEL_SERVICE_NAME ? { 'service.name': OTEL_SERVICE_NAME } : {})
  }
}

/** Values are percent-encoded (OpenTelemetry's resource specification); one that is not stays as it is. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
