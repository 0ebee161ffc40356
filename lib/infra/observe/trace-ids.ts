import { createHash } from 'node:crypto'
import type { SpanContext } from '@opentelemetry/api'

/**
 * Where a turn stands in the traces, made of its ID alone: one trace a turn, and its root. So whoever knows a turn's ID
 * can add to its trace or point at it, in another process and days later, and nothing about traces is stored.
 */
export function placeOfTurn(turnId: string): SpanContext {
  const hash = createHash('sha256').update(`turn ${turnId}`).digest('hex')
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48), traceFlags: 1, isRemote: true }
}

/** Where the wait for a call stands: in the trace of the turn that opened it. */
export function placeOfWait({ turnId, toolCallId }: { turnId: string; toolCallId: string }): SpanContext {
  const spanId = createHash('sha256').update(`wait ${toolCallId}`).digest('hex').slice(0, 16)
  return { ...placeOfTurn(turnId), spanId }
}
