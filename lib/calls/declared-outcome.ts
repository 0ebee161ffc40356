import type { CallResult } from '#lib/protocol/call.ts'
import type { CallRow } from './call-row.ts'

/** What the model is told when a person says no: always definite, never an exception (design 2.5, 002-11). */
export function declinedResult(call: Pick<CallRow, 'kind' | 'input'>, reason?: string): CallResult {
  switch (call.kind) {
    case 'approval':
      return reason === undefined ? { type: 'denied' } : { type: 'denied', reason }
    case 'connection': {
      const { integration, slug } = call.input as { integration: string; slug?: string }
      return {
        type: 'output',
        value: { connected: false, integration, slug: slug ?? integration, reason: reason ?? 'declined' }
      }
    }
    case 'question':
      return { type: 'output', value: { declined: true, ...(reason === undefined ? {} : { reason }) } }
    default:
      return {
        type: 'error',
        text: reason === undefined ? 'The request was declined.' : `The request was declined: ${reason}`
      }
  }
}

/** What the model is told when nobody answered by the deadline: the outcome the call declared when it was opened. */
export function expiredResult(call: Pick<CallRow, 'kind' | 'input' | 'onDeadline' | 'deadline'>): CallResult {
  const sentence = `No answer by ${new Date(call.deadline).toISOString()}.`
  switch (call.onDeadline) {
    case 'not-connected':
      return declinedResult({ kind: 'connection', input: call.input }, 'timeout')
    case 'declined':
      return declinedResult(call, `${sentence} It counts as declined.`)
    case 'error':
      return { type: 'error', text: sentence }
  }
}
