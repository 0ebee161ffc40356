import { createHash } from 'node:crypto'
import type { SpanContext } from '@opentelemetry/api'

/**
 * Derives a turn's trace ID and root span ID from the turn's ID, one trace per turn. Any process can therefore
 * add spans to the trace or link to it, even days later. No trace IDs are stored.
 */
export function turnSpanContext(turnId: string): SpanContext {
  const hash = createHash('sha256').update(`turn ${turnId}`).digest('hex')
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48), traceFlags: 1, isRemote: true }
}

/** Derives the span of the wait for a call, in the trace of the turn that opened the call. */
export function waitSpanContext({ turnId, toolCallId }: { turnId: string; toolCallId: string }): SpanContext {
  const spanId = createHash('sha256').update(`wait ${toolCallId}`).digest('hex').slice(0, 16)
  return { ...turnSpanContext(turnId), spanId }
}
