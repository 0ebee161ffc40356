import type { ConversationEvent } from '@waystation/plugin-host/contract.ts'
import { isHandOff } from '@waystation/protocol/agent/hand-off.ts'
import type { Call } from '@waystation/protocol/call/call.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'

/**
 * Converts a session's events to the six event types of PlatformHost (003-17), up to the end of the turn. A
 * call is sent once when the agent makes it and once when it has a result, even if a person approves it in
 * between. A handoff is sent only as `handoff`, not as a call.
 */
export async function* toConversationEvents(
  events: AsyncIterable<SessionEvent>,
  { agentId, sessionId }: { agentId: string; sessionId: string }
): AsyncGenerator<ConversationEvent> {
  let agent = agentId
  const sent = new Set<string>()
  const settled = new Set<string>()
  for await (const event of events) {
    if (event.type === 'chunk' && event.chunk.type === 'text-delta' && event.chunk.delta !== '')
      yield { type: 'content', agent, content: event.chunk.delta }
    else if (event.type === 'call' && event.call.kind !== 'limit' && !isHandOff(event.call.toolName)) {
      const { toolCallId: id, toolName: tool, input } = event.call
      if (!sent.has(id)) {
        sent.add(id)
        yield { type: 'tool_call', agent, tool, args: jsonOf(input) }
      }
      if (!settled.has(id) && hasResult(event.call)) {
        settled.add(id)
        yield { type: 'tool_result', agent, tool, ...resultOf(event.call) }
      }
    } else if (event.type === 'session' && event.speaker !== undefined) {
      const target = event.speaker?.agentId ?? agentId
      if (target !== agent) yield { type: 'handoff', agent, target }
      agent = target
    } else if (event.type === 'status' && event.outcome === 'done') {
      yield { type: 'finish', agent }
      return
    } else if (event.type === 'status' && event.outcome === 'failed' && event.retryAt === undefined) {
      yield { type: 'error', agent, message: event.error?.message ?? 'The agent failed.' }
      return
    } else if (event.type === 'status' && event.outcome === 'cancelled') {
      yield { type: 'error', agent, message: 'The conversation was stopped.' }
      return
    } else if (event.type === 'reset') {
      const message = `The plugin read events too slowly and missed some. The full conversation is in session ${sessionId}.`
      yield { type: 'error', agent, message }
      return
    }
  }
  yield { type: 'error', agent, message: 'The conversation was deleted.' }
}

/** Returns whether a call has its result. An approved call has one only after the server ran the tool. */
const hasResult = ({ state, ranAt }: Call): boolean =>
  state !== 'open' && (state !== 'approved' || ranAt !== undefined)

const resultOf = ({ output, errorText, reason, state }: Call): { result: string; isError: boolean } =>
  output === undefined
    ? { result: jsonOf(errorText ?? reason ?? `The call ended without a result (${state}).`), isError: true }
    : { result: jsonOf(output), isError: false }

const jsonOf = (value: unknown): string => JSON.stringify(value ?? null)
