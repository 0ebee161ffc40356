import type { ConversationEvent } from '#lib/kernel/ports/plugin-host.ts'
import { isHandOff } from '#lib/protocol/agent/hand-off.ts'
import type { Call } from '#lib/protocol/call/call.ts'
import type { SessionEvent } from '#lib/protocol/session/event.ts'

/**
 * A session's events in the six words that a plugin which called back is told (003-17), up to the end of what it asked. A call is
 * told once when it is made and once when its result is there, whoever it waits for in between; a hand-over only as one.
 */
export async function* toConversationEvents(
  events: AsyncIterable<SessionEvent>,
  { agentId, sessionId }: { agentId: string; sessionId: string }
): AsyncGenerator<ConversationEvent> {
  let agent = agentId
  const made = new Set<string>()
  const settled = new Set<string>()
  for await (const event of events) {
    if (event.type === 'chunk' && event.chunk.type === 'text-delta' && event.chunk.delta !== '')
      yield { type: 'content', agent, content: event.chunk.delta }
    else if (event.type === 'call' && event.call.kind !== 'limit' && !isHandOff(event.call.toolName)) {
      const { toolCallId: id, toolName: tool, input } = event.call
      if (!made.has(id)) {
        made.add(id)
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

/** An approved call has its result once our code ran. */
const hasResult = ({ state, ranAt }: Call): boolean =>
  state !== 'open' && (state !== 'approved' || ranAt !== undefined)

const resultOf = ({ output, errorText, reason, state }: Call): { result: string; isError: boolean } =>
  output === undefined
    ? { result: jsonOf(errorText ?? reason ?? `The call ended without a result (${state}).`), isError: true }
    : { result: jsonOf(output), isError: false }

const jsonOf = (value: unknown): string => JSON.stringify(value ?? null)
