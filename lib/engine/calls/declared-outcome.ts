import type { CallResult } from '@waystation/protocol/call/call.ts'
import type { CallRow } from './call-row.ts'
import { connectSettlement } from './connection-call.ts'

type Declinable = Pick<CallRow, 'kind' | 'input' | 'render' | 'where'>

/**
 * Returns the result for the model when a person declines a call. The result is always definite, never an
 * exception (docs/concepts/engine.md#deadlines, 002-11).
 */
export function declinedResult(call: Declinable, reason?: string): CallResult {
  switch (call.kind) {
    case 'approval':
      return reason === undefined ? { type: 'denied' } : { type: 'denied', reason }
    case 'connection':
      return notConnected(call, 'declined')
    case 'question':
      // An MCP server asked this question during a call. Without an answer, the call did not run.
      if (call.where === 'server')
        return { type: 'error', text: `Not run: ${reason ?? 'its question was declined.'}` }
      return { type: 'output', value: { declined: true, ...(reason === undefined ? {} : { reason }) } }
    default:
      return {
        type: 'error',
        text: reason === undefined ? 'The request was declined.' : `The request was declined: ${reason}`
      }
  }
}

/**
 * Returns the result for the model when no answer arrived by the deadline: the outcome that the call declared
 * when it was opened.
 */
export function expiredResult(call: Declinable & Pick<CallRow, 'onDeadline' | 'deadline'>): CallResult {
  const sentence = `No answer by ${new Date(call.deadline).toISOString()}.`
  switch (call.onDeadline) {
    case 'not-connected':
      return notConnected(call, 'timeout')
    case 'declined':
      return declinedResult(call, `${sentence} The call is treated as declined.`)
    case 'error':
      return { type: 'error', text: sentence }
  }
}

/**
 * A person's own text about a connection is only shown to people. The model receives one of a few standard
 * reasons (002-10).
 */
const notConnected = (call: Declinable, reason: string): CallResult =>
  connectSettlement(call, { connected: false, reason }).result ?? { type: 'error', text: reason }
