import type { PluginCalls } from '@waystation/plugin-host/connect-plugin.ts'
import { readView } from './server.ts'
import type { PluginTestCalls, TestIds } from './test-types.ts'

/** The part of a session that a call belongs to. The server sends its IDs, and no others (docs/plugins-grpc.md#call-metadata). */
type Scope = 'view' | 'session' | 'call'

/** The calls of a plugin for tests. Each sends `ids`, and a new ID for each call if `ids` has none. */
export const callsOf = (calls: PluginCalls, workspaceId: string, ids: TestIds): PluginTestCalls => {
  let count = 0
  const withIds = <Options extends TestIds>(scope: Scope, options?: Options) => {
    const newId = `call-${++count}`
    const usual = { sessionId: 'test', userId: 'person:test', callId: newId }
    const { sessionId, callId, ...sent } = { ...usual, ...ids, ...options }
    return {
      // The key of a tool call is its ID.
      idempotencyKey: callId ?? newId,
      ...sent,
      ...(scope === 'view' ? {} : { sessionId }),
      ...(scope === 'call' ? { callId } : {})
    }
  }
  return {
    isHealthy: () => calls.health(),
    callTool: (name, args = {}, options) => calls.executeTool({ name, args }, withIds('call', options)),
    sendEvent: (type, payload, { agentName = 'test', ...options } = {}) =>
      calls.onEvent(
        { type, agentName, payload },
        withIds(type === 'TOOL_CALL' || type === 'TOOL_RESULT' ? 'call' : 'session', options)
      ),
    complete: ({ model = 'test', messages = [], tools = [], temperature, maxTokens, topP }, options) =>
      calls.complete(
        {
          model,
          messages: messages.map(({ toolCallId, toolCalls = [], ...message }) => ({
            ...message,
            toolCalls,
            ...(toolCallId !== undefined && { toolCallId })
          })),
          tools,
          ...(temperature !== undefined && { temperature }),
          ...(maxTokens !== undefined && { maxTokens }),
          ...(topP !== undefined && { topP })
        },
        withIds('session', options)
      ),
    render: async (viewName, params = {}, options) =>
      readView(await calls.renderView({ viewName, workspaceId, params }, withIds('view', options))),
    async request(method, path, { json, body = '', query = {}, headers = {}, ...options } = {}) {
      const sent = new TextEncoder().encode(json === undefined ? String(body) : JSON.stringify(json))
      const request = { method, path, query, headers, body: body instanceof Uint8Array ? body : sent }
      const response = await calls.handleRoute(request, withIds('view', options))
      return { ...response, json: parseJson(response.body) }
    },
    async *stream(messages, { userEmail = '', ...options } = {}) {
      const origin = withIds('view', options)
      // The first message has the ID of a person without its prefix.
      const person = { workspaceId, userId: origin.userId?.replace(/^person:/, '') ?? '', userEmail }
      for await (const data of calls.handleStream(person, encoded(messages), origin))
        yield new TextDecoder().decode(data)
    }
  }
}

async function* encoded(messages: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
  for await (const message of messages) yield new TextEncoder().encode(message)
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
