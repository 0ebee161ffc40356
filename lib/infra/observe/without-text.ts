import { hostname } from 'node:os'
import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-node'

/**
 * Removes user and model text from spans before it passes them on. It keeps only attributes that are known to
 * be numbers, names or IDs, and the status of an error without its message. With `words`, spans are unchanged.
 * All spans get the attributes of this service (`OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`).
 */
export function withoutText(
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
      const serviceOnly = { resource: { value: resource } }
      const textRemoved = {
        attributes: { value: onlySafe(span.attributes) },
        events: { value: [] },
        status: { value: { code: span.status.code } }
      }
      next.onEnd(
        Object.create(span, words ? serviceOnly : { ...serviceOnly, ...textRemoved }) as ReadableSpan
      )
    },
    forceFlush: () => next.forceFlush(),
    shutdown: () => next.shutdown()
  }
}

/**
 * Our own attributes, and those of the semantic conventions for models, except messages, instructions,
 * definitions and arguments.
 */
const safeNames =
  /^(waystation\.|server\.|error\.type$|gen_ai\.(operation\.name|provider\.name|request\.(?!stop_sequences)|response\.|usage\.|client\.|agent\.|output\.type|conversation\.id|tool\.(name|type|call\.id)$))/

const onlySafe = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => safeNames.test(name)))

function serviceAttributes(version: string): Attributes {
  const { OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES = '' } = process.env
  const fromVariable = OTEL_RESOURCE_ATTRIBUTES.split(',').flatMap(pair => {
    const [name = '', value] = pair.split('=', 2).map(part => part.trim())
    return value === undefined ? [] : [[name, decoded(value)]]
  })
  return {
    'service.version': version,
    'host.name': hostname(),
    'process.pid': process.pid,
    'service.name': 'waystation',
    ...Object.fromEntries(fromVariable),
    ...(OTEL_SERVICE_NAME ? { 'service.name': OTEL_SERVICE_NAME } : {})
  }
}

/** Percent-decodes a value (OpenTelemetry's resource specification). An invalid value stays unchanged. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
