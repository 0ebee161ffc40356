import type { Call } from '@waystation/protocol/call/call.ts'
import { foldedMessage } from '@waystation/protocol/session/apply-chunk.ts'
import type { Chunk } from '@waystation/protocol/session/event.ts'
import { applyCall } from '@waystation/protocol/session/fold.ts'
import type { MessagePart } from '@waystation/protocol/session/message.ts'

/** The fields of a tool part, in any state, that its chunks need. */
export type ShownTool = {
  type: string
  toolCallId: string
  state: string
  input?: unknown
  rawInput?: string
  output?: unknown
  errorText?: string
  approval?: { id: string; approved?: boolean; reason?: string }
}

/** Converts a call to a tool part. `applyCall`, the single fold of calls, decides what it shows. */
export function partOf(call: Call): ShownTool {
  const part = {
    type: `tool-${call.toolName}`,
    toolCallId: call.toolCallId,
    state: 'input-available',
    input: call.editedInput ?? call.input
  } as MessagePart
  const folded = foldedMessage({ id: call.messageId, role: 'assistant', parts: [part] })
  return applyCall(folded, call).message.parts[0] as unknown as ShownTool
}

/**
 * Offers an open or running call to the client. A client can act on it only now, after the step is committed. A call
 * that needs approval is not offered for execution. Server calls are `providerExecuted`, so no client executes them.
 */
export function openChunks(call: Call): Chunk[] {
  const { toolCallId, toolName } = call
  const part = partOf(call)
  if (part.state === 'approval-requested') return [...writtenChunks(part), approvalRequest(toolCallId)]
  const by = call.kind === 'server' ? { providerExecuted: true } : {}
  return [{ type: 'tool-input-available', toolCallId, toolName, input: part.input, ...by }]
}

/**
 * Writes the arguments of a call without offering it. A client acts on `tool-input-available` (`onToolCall`). A settled
 * call is shown without that chunk, so a reload executes nothing twice.
 */
export function writtenChunks(part: ShownTool): Chunk[] {
  const { toolCallId } = part
  const text = part.rawInput ?? (part.input === undefined ? '' : JSON.stringify(part.input))
  return [
    { type: 'tool-input-start', toolCallId, toolName: part.type.slice('tool-'.length) },
    ...(text === '' ? [] : [{ type: 'tool-input-delta' as const, toolCallId, inputTextDelta: text }])
  ]
}

/**
 * Writes the outcome of a call to a client that has its part. `approvalKnown` means that the client knows about the
 * approval request. `own` means that the client settled the call itself. Any other outcome is `providerExecuted`,
 * because the client must not send it.
 */
export function settledChunks(
  part: ShownTool,
  { approvalKnown = false, own = false, ran = false } = {}
): Chunk[] {
  const { toolCallId, approval } = part
  const byOthers = { providerExecuted: true }
  const approvalChunks: Chunk[] =
    approval?.approved === undefined
      ? []
      : [
          ...(approvalKnown ? [] : [approvalRequest(toolCallId)]),
          {
            type: 'tool-approval-response',
            approvalId: toolCallId,
            approved: approval.approved,
            ...(approval.reason === undefined ? {} : { reason: approval.reason }),
            ...(own ? {} : byOthers)
          }
        ]
  const by = own && !ran ? {} : byOthers
  switch (part.state) {
    case 'approval-responded':
      return approvalChunks
    case 'output-denied':
      return [...approvalChunks, { type: 'tool-output-denied', toolCallId }]
    case 'output-available':
      return [
        ...approvalChunks,
        { type: 'tool-output-available', toolCallId, output: part.output ?? null, ...by }
      ]
    case 'output-error':
      return [
        ...approvalChunks,
        { type: 'tool-output-error', toolCallId, errorText: part.errorText ?? 'It failed.', ...by }
      ]
    default:
      return []
  }
}

/** `approvalId` is the call's ID (api.md). */
const approvalRequest = (toolCallId: string): Chunk => ({
  type: 'tool-approval-request',
  approvalId: toolCallId,
  toolCallId
})

/**
 * Writes the outcome of an earlier message's call into the current message (docs/concepts/engine.md#events). The SDK
 * folds one message, and throws on a chunk for another message's tool.
 */
export function settledCallChunk(call: Call): Chunk {
  const { toolCallId, toolName, messageId, state, output, errorText, reason, answeredBy } = call
  const data = { toolCallId, toolName, messageId, state, output, errorText, reason, answeredBy }
  return { type: 'data-call-settled', id: toolCallId, data } as unknown as Chunk
}
