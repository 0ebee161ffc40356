import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type Tool = { name: string; description?: string; inputSchema: object; annotations?: object }
type Rpc = {
  id?: number
  method: string
  params?: { name?: string; uri?: string; arguments?: Record<string, unknown> }
}
type Asked = {
  path: string
  method: string
  accept: string | undefined
  authorization: string | undefined
  /** `Mcp-Session-Id`. */
  session: string | undefined
  rpc: string | undefined
}

const anyObject = { type: 'object' }

/**
 * Serves MCP over real HTTP for one test. The server needs tokens of `issuer`, unless `told.open` is true. Tests
 * can change the properties of `behavior` at any time.
 */
export async function serveMcp(issuer = '') {
  const requests: Asked[] = []
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `${origin}/mcp`
  const behavior = {
    metadata: {
      resource: url,
      authorization_servers: [issuer],
      scopes_supported: ['orders:read']
    } as Record<string, unknown>,
    /** The metadata of an authorization server at `${origin}/as`. */
    authorizationServer: undefined as object | undefined,
    open: false,
    /** The number of calls in each session. Undefined: the server has no sessions. */
    sessions: undefined as Map<string, number> | undefined,
    /** Delays the response to a session that the server does not know. */
    beforeUnknown: async () => {},
    silent: false,
    /** The capabilities that the server declares. */
    capabilities: { tools: {} } as object,
    /** The number of requests that it sends to the client before it answers a call. */
    asks: 0,
    /** Scopes that `tools/call` needs in addition to those of the first challenge. */
    more: undefined as string | undefined,
    /** Tokens that are invalid or expired. */
    refused: new Set<string>(),
    short: new Set<string>(),
    tools: [
      {
        name: 'echo',
        description: 'Says it back.',
        inputSchema: { ...anyObject, properties: { text: { type: 'string' } }, required: ['text'] }
      },
      { name: 'fail', description: 'Fails.', inputSchema: anyObject, annotations: { readOnlyHint: true } }
    ] as Tool[]
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    let text = ''
    for await (const chunk of request) text += chunk
    const { url: path = '', method = '' } = request
    const { accept, authorization } = request.headers
    const rpc = text === '' || path !== '/mcp' ? undefined : (JSON.parse(text) as Rpc)
    const session = request.headers['mcp-session-id']?.toString()
    requests.push({ path, method, accept, authorization, session, rpc: rpc?.method })
    const send = (status: number, body?: object, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(body && JSON.stringify(body))
    if (behavior.silent) return
    if (path === '/.well-known/oauth-protected-resource/mcp') return send(200, behavior.metadata)
    if (path.startsWith('/.well-known/oauth-authorization-server/as') && behavior.authorizationServer)
      return send(200, behavior.authorizationServer)
    if (path !== '/mcp') return send(404)
    if (method === 'DELETE' && session !== undefined)
      return send(behavior.sessions?.delete(session) ? 204 : 404)
    if (method !== 'POST' || rpc === undefined) return send(405)
    const token = authorization?.replace(/^Bearer /, '')
    const resourceMetadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
    if (!behavior.open && (token === undefined || behavior.refused.has(token)))
      return send(401, {}, { 'www-authenticate': `Bearer error="invalid_token", ${resourceMetadata}` })
    if (
      rpc.method === 'tools/call' &&
      behavior.more !== undefined &&
      token !== undefined &&
      behavior.short.has(token)
    )
      return send(
        403,
        {},
        {
          'www-authenticate': `Bearer error="insufficient_scope", scope="${behavior.more}", ${resourceMetadata}`
        }
      )
    if (rpc.id === undefined || rpc.method === undefined) return send(202)
    if (behavior.asks > 0 && rpc.method === 'tools/call') {
      const toEvent = (message: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`
      const pings = Array.from({ length: behavior.asks }, (_, id) => toEvent({ id, method: 'ping' })).join('')
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return response.end(pings + toEvent({ id: rpc.id, result: resultOf(rpc) }))
    }
    const { sessions } = behavior
    if (sessions === undefined) return send(200, { jsonrpc: '2.0', id: rpc.id, result: resultOf(rpc) })
    const opened = rpc.method === 'initialize' ? randomUUID() : session
    if (opened === undefined) return send(400)
    if (rpc.method === 'initialize') sessions.set(opened, 0)
    const calls = sessions.get(opened)
    if (calls === undefined) {
      await behavior.beforeUnknown()
      return send(404)
    }
    if (rpc.method === 'tools/call') sessions.set(opened, calls + 1)
    send(
      200,
      { jsonrpc: '2.0', id: rpc.id, result: resultOf(rpc, sessions.get(opened)) },
      { 'mcp-session-id': opened }
    )
  }

  function resultOf({ method, params }: Rpc, calls?: number): object {
    if (method === 'initialize')
      return {
        protocolVersion: '2025-11-25',
        capabilities: behavior.capabilities,
        serverInfo: { name: 'shop', version: '1' }
      }
    if (method === 'tools/list') return { tools: behavior.tools }
    if (method === 'resources/read') {
      const { uri } = params ?? {}
      return {
        contents: [
          { uri, mimeType: 'image/png', blob: 'AAAA' },
          { uri, text: 'x'.repeat(300_000) }
        ]
      }
    }
    if (params?.name === 'count') return { content: [{ type: 'text', text: `calls: ${calls}` }] }
    const text = params?.name === 'echo' ? `echo: ${String(params.arguments?.text)}` : 'The shop is closed.'
    return { content: [{ type: 'text', text }], isError: params?.name !== 'echo' }
  }

  const tokens = () => [...new Set(requests.flatMap(({ authorization }) => authorization?.slice(7) ?? []))]
  return { url, origin, behavior, asked: requests, tokens }
}
