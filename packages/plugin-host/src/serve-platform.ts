import { once } from 'node:events'
import { createServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { Code, ConnectError, createConnectRouter, type HandlerContext } from '@connectrpc/connect'
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from '@connectrpc/connect-node'
import { cleanText } from '@waystation/base/clean-text.ts'
import { log } from '@waystation/base/log.ts'
import type { Conversation, ConversationEvent } from './contract.ts'
import { type ConversationRequest, PlatformHost } from './generated/platform_pb.ts'
import { isToken } from './token.ts'

/**
 * Limits for one plugin. `request` is in bytes, `input` in characters, `history` in messages. More connections than
 * conversations are permitted, so that a plugin with a connection for each conversation learns why the ninth fails.
 */
const limits = {
  connections: 16,
  conversations: 8,
  request: 4 * 1024 * 1024,
  input: 256 * 1024,
  history: 200
}

/**
 * Serves PlatformHost for one plugin of one workspace on its own address (003-17). Calls without `token` are
 * rejected, on loopback too, because every program on this machine can reach the port. `run` runs the
 * conversation. If it throws, the error is logged and the plugin learns only that the conversation failed.
 *
 * @param listen port 0 picks a free port
 */
export async function servePlatform({
  workspaceId,
  token,
  listen,
  run
}: {
  workspaceId: string
  token: string
  listen: { host: string; port: number }
  run: (conversation: Conversation) => AsyncIterable<ConversationEvent>
}): Promise<{ port: number; close(): Promise<void> }> {
  let running = 0
  async function* runConversation(request: ConversationRequest, context: HandlerContext) {
    const bearer = /^Bearer (.+)$/.exec(context.requestHeader.get('authorization') ?? '')?.[1]
    if (bearer === undefined || !isToken(bearer, token))
      throw new ConnectError('Send PLATFORM_HOST_TOKEN as authorization: Bearer …', Code.Unauthenticated)
    if (request.workspaceId !== workspaceId)
      throw new ConnectError('This address belongs to another workspace.', Code.PermissionDenied)
    const conversation = { ...readRequest(request), signal: context.signal }
    if (running >= limits.conversations)
      throw new ConnectError(
        `Limit reached: ${running} conversations are already running. Try again later.`,
        Code.ResourceExhausted
      )
    running += 1
    try {
      for await (const event of run(conversation)) {
        if (context.signal.aborted) return
        yield toWire(event)
      }
    } catch (error) {
      if (context.signal.aborted) return
      log('error', 'a plugin conversation failed', { workspaceId, error })
      yield toWire({ type: 'error', agent: '', message: 'The conversation failed. See the server log.' })
    } finally {
      running -= 1
    }
  }

  const { handlers } = createConnectRouter({
    connect: false,
    grpcWeb: false,
    acceptCompression: [],
    readMaxBytes: limits.request
  }).service(PlatformHost, { runConversation })
  const server = createServer(
    { settings: { maxConcurrentStreams: limits.conversations * 2 }, maxSessionMemory: 16 },
    (request, response) => {
      const handler = handlers.find(({ requestPath }) => requestPath === request.url)
      if (handler === undefined) return void response.writeHead(404).end()
      handler(universalRequestFromNodeRequest(request, response, undefined, undefined))
        .then(reply => universalResponseToNodeResponse(reply, response))
        // Errors of a call are logged where they occur. An error here only means that the plugin hung up.
        .catch((error: unknown) => log('debug', 'a plugin closed its connection', { workspaceId, error }))
    }
  )
  server.maxConnections = limits.connections
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', session => {
    sessions.add(session)
    session.on('error', () => undefined).once('close', () => sessions.delete(session))
  })
  server.on('sessionError', () => undefined)
  server.listen(listen.port, listen.host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const session of sessions) session.destroy()
      await closed
    }
  }
}

/** Validates the input and the history. Throws INVALID_ARGUMENT. */
function readRequest({ input, history }: ConversationRequest): Pick<Conversation, 'input' | 'history'> {
  const invalid = (why: string) => new ConnectError(why, Code.InvalidArgument)
  if (input.trim() === '') throw invalid('The input is empty.')
  if (input.length > limits.input) throw invalid(`The input is longer than ${limits.input} characters.`)
  if (history.length > limits.history) throw invalid(`The history has more than ${limits.history} messages.`)
  return {
    input: cleanText(input),
    history: history.map(({ role, content }) => {
      if (role !== 'user' && role !== 'assistant')
        throw invalid('The role of a message is neither “user” nor “assistant”.')
      return { role, content: cleanText(content) }
    })
  }
}

function toWire(event: ConversationEvent) {
  if (event.type !== 'error') return event
  const { message, ...rest } = event
  return { ...rest, errorMessage: message }
}
