import type { Call } from '#lib/protocol/call/call.ts'
import { foldedMessage } from '#lib/protocol/session/apply-chunk.ts'
import type { Chunk } from '#lib/protocol/session/event.ts'
import { applyCall } from '#lib/protocol/session/fold.ts'
import type { MessagePart } from '#lib/protocol/session/message.ts'

/** A tool part, of whatever state, as far as its chunks need it. */
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

/** A call as a tool part: the one fold of calls (`applyCall`) says what people see of it. */
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
 * A call that waits or that our own code carries out: only now, committed, is it given to the client as one that it may
 * act on, and while it is to be approved not as one that it may carry out. What the server does itself is
 * `providerExecuted`: no client is asked for it.
 */
export function openChunks(call: Call): Chunk[] {
  const { toolCallId, toolName } = call
  const part = partOf(call)
  if (part.state === 'approval-requested') return [...writtenChunks(part), asks(toolCallId)]
  const by = call.kind === 'server' ? { providerExecuted: true } : {}
  return [{ type: 'tool-input-available', toolCallId, toolName, input: part.input, ...by }]
}

/**
 * The arguments of a call as they are written: for one that is still being written, and for one that is over. A client
 * acts on `tool-input-available` (`onToolCall`); what was done before is shown without it, so that a reload does nothing
 * twice.
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
 * What became of a call, for a client that has its part. `asked`: it knows that it was asked for approval. `own`: it
 * settled the call itself; what anybody else did, our own code too, is `providerExecuted`, not its to send.
 */
export function settledChunks(part: ShownTool, { asked = false, own = false, ran = false } = {}): Chunk[] {
  const { toolCallId, approval } = part
  const others = { providerExecuted: true }
  const answered: Chunk[] =
    approval?.approved === undefined
      ? []
      : [
          ...(asked ? [] : [asks(toolCallId)]),
          {
            type: 'tool-approval-response',
            approvalId: toolCallId,
            approved: approval.approved,
            ...(approval.reason === undefined ? {} : { reason: approval.reason }),
            ...(own ? {} : others)
          }
        ]
  const by = own && !ran ? {} : others
  switch (part.state) {
    case 'approval-responded':
      return answered
    case 'output-denied':
      return [...answered, { type: 'tool-output-denied', toolCallId }]
    case 'output-available':
      return [...answered, { type: 'tool-output-available', toolCallId, output: part.output ?? null, ...by }]
    case 'output-error':
      return [
        ...answered,
        { type: 'tool-output-error', toolCallId, errorText: part.errorText ?? 'It failed.', ...by }
      ]
    default:
      return []
  }
}

/** `approvalId` is the call's ID (api.md). */
const asks = (toolCallId: string): Chunk => ({
  type: 'tool-approval-request',
  approvalId: toolCallId,
  toolCallId
})

/**
 * What became of a call of an earlier message, told in the current one (docs/concepts/engine.md#events): the SDK's fold knows one message, and
 * a chunk of another one's tool would make it throw.
 */
export function lateChunk(call: Call): Chunk {
  const { toolCallId, toolName, messageId, state, output, errorText, reason, answeredBy } = call
  const data = { toolCallId, toolName, messageId, state, output, errorText, reason, answeredBy }
  return { type: 'data-call-settled', id: toolCallId, data } as unknown as Chunk
}
