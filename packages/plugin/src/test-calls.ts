import type { PluginCalls } from '@waystation/plugin-host/connect-plugin.ts'
import { readView } from './server.ts'
import type { PluginTestCalls } from './test-types.ts'

const workspaceId = 'default'

/** The calls of a plugin for tests. */
export const callsOf = (calls: PluginCalls): PluginTestCalls => ({
  isHealthy: () => calls.health(),
  callTool: (name, args = {}, options) => calls.executeTool({ name, args }, options),
  sendEvent: (type, payload, { agentName = 'test', ...options } = {}) =>
    calls.onEvent({ type, agentName, payload }, options),
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
      options
    ),
  render: async (viewName, params = {}, options) =>
    readView(await calls.renderView({ viewName, workspaceId, params }, options)),
  async request(method, path, { json, body = '', query = {}, headers = {}, ...options } = {}) {
    const sent = new TextEncoder().encode(json === undefined ? String(body) : JSON.stringify(json))
    const request = { method, path, query, headers, body: body instanceof Uint8Array ? body : sent }
    const response = await calls.handleRoute(request, options)
    return { ...response, json: parseJson(response.body) }
  },
  async *stream(messages, { userId = 'test', userEmail = '', ...options } = {}) {
    const person = { workspaceId, userId, userEmail }
    for await (const data of calls.handleStream(person, encoded(messages), options))
      yield new TextDecoder().decode(data)
  }
})

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
