import { type Client, Code, ConnectError, createClient } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import { PlatformHost } from '@waystation/plugin-host/generated/platform_pb.ts'
import { PluginError, type PluginStatus } from './plugin-error.ts'

/** An event of a conversation, also the JSON that a `chat` component shows. */
export type ChatEvent =
  | { type: 'content'; agent: string; content: string }
  | { type: 'tool_call'; agent: string; tool: string; args: string }
  | { type: 'tool_result'; agent: string; tool: string; result: string; is_error?: boolean }
  | { type: 'handoff'; agent: string; target: string }
  | { type: 'finish'; agent: string }
  | { type: 'error'; agent?: string; error_message: string }

/** Options of a conversation. Default of `workspaceId`: the workspace of the call. `signal` stops it. */
export type ConversationOptions = {
  workspaceId?: string | undefined
  history?: { role: 'user' | 'assistant'; content: string }[]
  signal?: AbortSignal
}

/** Calls RunConversation of the server that started the plugin. */
export async function* converse(
  input: string,
  { workspaceId, history = [], signal }: ConversationOptions,
  env: Readonly<Record<string, string | undefined>>
): AsyncGenerator<ChatEvent> {
  const { PLATFORM_HOST_ADDR: address, PLATFORM_HOST_TOKEN: token } = env
  if (address === undefined)
    throw new PluginError(
      'FAILED_PRECONDITION',
      'PLATFORM_HOST_ADDR is not set, so the server cannot be called.'
    )
  const request = { workspaceId: workspaceId ?? 'default', input, history }
  const headers = { authorization: `Bearer ${token}` }
  try {
    for await (const event of clientOf(address).runConversation(request, { headers, signal }))
      yield eventOf(event)
  } catch (error) {
    throw signal?.aborted ? error : explain(error)
  }
}

const clients = new Map<string, Client<typeof PlatformHost>>()

/** The client of an address. Its calls share a connection, because a server accepts only a few for each plugin. */
function clientOf(address: string): Client<typeof PlatformHost> {
  const known = clients.get(address)
  if (known !== undefined) return known
  const client = createClient(PlatformHost, createGrpcTransport({ baseUrl: `http://${address}` }))
  clients.set(address, client)
  return client
}

const statuses: { [code in Code]?: PluginStatus } = {
  [Code.InvalidArgument]: 'INVALID_ARGUMENT',
  [Code.PermissionDenied]: 'PERMISSION_DENIED',
  [Code.Unauthenticated]: 'UNAUTHENTICATED',
  [Code.ResourceExhausted]: 'RESOURCE_EXHAUSTED'
}

/** Any other code means that the connection failed. The words of the HTTP/2 library do not help a reader. */
function explain(error: unknown): PluginError {
  const { code, rawMessage } = ConnectError.from(error)
  const status = statuses[code]
  return status === undefined
    ? new PluginError('UNAVAILABLE', 'The connection to the server was lost.', { cause: error })
    : new PluginError(status, rawMessage, { cause: error })
}

type WireEvent = {
  type: string
  agent: string
  content: string
  tool: string
  args: string
  result: string
  isError: boolean
  target: string
  errorMessage: string
}

function eventOf({
  type,
  agent,
  content,
  tool,
  args,
  result,
  isError,
  target,
  errorMessage
}: WireEvent): ChatEvent {
  switch (type) {
    case 'content':
      return { type, agent, content }
    case 'tool_call':
      return { type, agent, tool, args }
    case 'tool_result':
      return { type, agent, tool, result, is_error: isError }
    case 'handoff':
      return { type, agent, target }
    case 'finish':
      return { type, agent }
    default:
      return { type: 'error', agent, error_message: errorMessage }
  }
}
