import { once } from 'node:events'
import { createServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { Code, ConnectError, createConnectRouter, type HandlerContext } from '@connectrpc/connect'
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from '@connectrpc/connect-node'
import { cleanText } from '#lib/kernel/clean-text.ts'
import { log } from '#lib/kernel/log.ts'
import type { Conversation, ConversationEvent } from '#lib/kernel/ports/plugin-host.ts'
import { type ConversationRequest, PlatformHost } from './generated/platform_pb.ts'
import { isToken } from './is-token.ts'

/** Of one plugin: connections and conversations at once, bytes of a request, characters of its input, messages before it. */
const most = { connections: 8, conversations: 8, request: 4 * 1024 * 1024, input: 256 * 1024, history: 200 }

/**
 * Serves PlatformHost for one plugin of one workspace, on an address of its own (003-17). A call without `token` is refused, on
 * loopback too: every program of this machine can reach the port. `run` has the conversation. An error of `run` is logged, and
 * the plugin learns only that the conversation failed.
 *
 * @param listen port 0: any that is free
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
    const given = /^Bearer (.+)$/.exec(context.requestHeader.get('authorization') ?? '')?.[1]
    if (given === undefined || !isToken(given, token))
      throw new ConnectError('Send PLATFORM_HOST_TOKEN as authorization: Bearer …', Code.Unauthenticated)
    if (request.workspaceId !== workspaceId)
      throw new ConnectError('This address belongs to another workspace.', Code.PermissionDenied)
    const conversation = { ...read(request), signal: context.signal }
    if (running >= most.conversations)
      throw new ConnectError(
        `Limit reached: ${running} conversations are already running. Try again later.`,
        Code.ResourceExhausted
      )
    running += 1
    try {
      for await (const event of run(conversation)) {
        if (context.signal.aborted) return
        yield wireOf(event)
      }
    } catch (error) {
      if (context.signal.aborted) return
      log('error', 'a plugin conversation failed', { workspaceId, error })
      yield wireOf({ type: 'error', agent: '', message: 'The conversation failed. See the server log.' })
    } finally {
      running -= 1
    }
  }

  const { handlers } = createConnectRouter({
    connect: false,
    grpcWeb: false,
    acceptCompression: [],
    readMaxBytes: most.request
  }).service(PlatformHost, { runConversation })
  const server = createServer(
    { settings: { maxConcurrentStreams: most.conversations * 2 }, maxSessionMemory: 16 },
    (request, response) => {
      const handler = handlers.find(({ requestPath }) => requestPath === request.url)
      if (handler === undefined) return void response.writeHead(404).end()
      handler(universalRequestFromNodeRequest(request, response, undefined, undefined))
        .then(answer => universalResponseToNodeResponse(answer, response))
        // What a plugin asked is logged where it fails; here it has only hung up.
        .catch((error: unknown) => log('debug', 'a plugin closed its connection', { workspaceId, error }))
    }
  )
  server.maxConnections = most.connections
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

/** Throws INVALID_ARGUMENT with what is wrong. */
function read({ input, history }: ConversationRequest): Pick<Conversation, 'input' | 'history'> {
  const mistake = (why: string) => new ConnectError(why, Code.InvalidArgument)
  if (input.trim() === '') throw mistake('The input is empty.')
  if (input.length > most.input) throw mistake(`The input is longer than ${most.input} characters.`)
  if (history.length > most.history) throw mistake(`The history has more than ${most.history} messages.`)
  return {
    input: cleanText(input),
    history: history.map(({ role, content }) => {
      if (role !== 'user' && role !== 'assistant')
        throw mistake('The role of a message is neither “user” nor “assistant”.')
      return { role, content: cleanText(content) }
    })
  }
}

function wireOf(event: ConversationEvent) {
  if (event.type !== 'error') return event
  const { message, ...rest } = event
  return { ...rest, errorMessage: message }
}
