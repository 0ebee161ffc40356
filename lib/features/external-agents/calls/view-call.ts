import type { CallKind } from '@waystation/protocol/call/call.ts'
import type { ExternalCall, ExternalCallKind } from '@waystation/protocol/external-agent/calls.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'

/** Returns a call as its external agent sees it. */
export function viewCall(call: CallRow): ExternalCall {
  const { toolCallId, state, deadline, render, result, reason, answeredBy, via } = call
  const kind = askedKind(call)
  const isDecided = kind === 'approval' && (state === 'approved' || state === 'denied')
  return {
    toolCallId,
    kind,
    state,
    deadline,
    ...(typeof render?.key === 'string' ? { key: render.key } : {}),
    ...(isDecided ? { approved: state === 'approved' } : {}),
    ...(isDecided && state === 'approved' ? { input: call.editedInput ?? call.input } : {}),
    ...(kind !== 'approval' && result?.type === 'output' ? { output: result.value } : {}),
    ...(reason === null ? {} : { reason }),
    ...(state === 'open' || answeredBy === null ? {} : { answeredBy }),
    ...(state === 'open' || via === null ? {} : { via })
  }
}

/** Returns the kind that the agent asked for. A form is a question with fields. */
const askedKind = ({ kind, toolName }: { kind: CallKind; toolName: string }): ExternalCallKind =>
  toolName === 'request-form' ? 'form' : (kind as ExternalCallKind)
