import { type AgentsClient, agentsOf } from './agents.ts'
import { answered, apiOf, type Calls } from './api.ts'
import { authorised } from './authorised.ts'
import type { Backoff } from './backoff.ts'
import { type ConnectionsClient, connectionsOf } from './connections.ts'
import { credentialOf } from './credential.ts'
import { type SessionClient, sessionOf } from './session.ts'
import type { CreateSession, ListedSession, ListSessions, WaitingCall } from './types.ts'
import { type WebhooksClient, webhooksOf } from './webhooks.ts'

/** Options of `createClient`. Set `token` or `apiKey`, or neither on Waystation's own pages. */
export type ClientOptions = {
  /** The server's origin, such as `https://waystation.example`. */
  url: string
  /**
   * A session token, or a function that returns one. The client calls the function on first use, and again
   * when the server rejects a token with `401`, for example because it has expired.
   */
  token?: string | (() => Promise<string>)
  /**
   * A workspace's API key. Use it on servers only, never in a page. Without `apiKey` and `token`, the browser
   * sends its cookie.
   */
  apiKey?: string
  /** The ID of the workspace to use, for users who belong to several. */
  workspace?: string
  /** The `fetch` function to use. Default: the global `fetch`. */
  fetch?: typeof fetch
  /** Waits between retries, in ms. Default: `{first: 400, longest: 15000}`. */
  backoff?: Backoff
  /**
   * After this many ms without data, an event stream reconnects. Default: 40000. The server sends data at
   * least every 15 s.
   */
  silence?: number
}

/** A client of one server. Each function that sends a request rejects with a `WaystationError`. */
export type WaystationClient = {
  url: string
  /**
   * The kind of credential. A `token` gives access to one session, a `key` or `cookie` to everything that its
   * role permits.
   */
  credential: 'token' | 'key' | 'cookie'
  /** Returns the functions of one session. It sends no request. */
  session: (id: string) => SessionClient
  sessions: {
    /**
     * Creates a session. If the ID belongs to a session of the same agent, attaches to it (`created` is
     * false). If that session was deleted, revives it empty.
     */
    create: (session: CreateSession) => Promise<{ sessionId: string; agentId: string; created: boolean }>
    /** Lists sessions, most recently active first. `nextCursor` is null on the last page. */
    list: (query?: ListSessions) => Promise<{ sessions: ListedSession[]; nextCursor: string | null }>
    /** Deletes a session with its messages, calls and tokens. */
    delete: (sessionId: string) => Promise<{ sessionId: string }>
  }
  /**
   * Lists the pending calls of the workspace, nearest deadline first, up to 500 per page. Not available with
   * a session token.
   */
  waiting: (query?: { cursor?: string }) => Promise<{ calls: WaitingCall[]; nextCursor: string | null }>
  agents: AgentsClient
  connections: ConnectionsClient
  webhooks: WebhooksClient
  /** Every operation of the HTTP API, typed by method and path: `api.GET('/api/agents')`. */
  api: Calls
  /**
   * Returns the client's secret, for the `hello` of a WebSocket, or undefined if the client uses the cookie.
   * Pass a secret that the server rejected to get a new one, if there is one.
   */
  token: (refused?: string) => Promise<string | undefined>
  /** Like the global `fetch`, but sends the client's credential and renews it after a `401`. No retries. */
  fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>
}

/**
 * Creates a client for one Waystation server, for use in a browser or on a server. Throws a `TypeError` if
 * you set both `apiKey` and `token`.
 */
export function createClient(options: ClientOptions): WaystationClient {
  const { apiKey, token, workspace, backoff = { first: 400, longest: 15_000 }, silence = 40_000 } = options
  if (apiKey !== undefined && token !== undefined) throw new TypeError('Set apiKey or token, not both.')
  const url = options.url.replace(/\/+$/, '')
  const credential = credentialOf(apiKey ?? token)
  const api = apiOf({
    url,
    fetch: authorised({
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      credential,
      workspace
    }),
    backoff,
    silence
  })
  const { calls } = api
  return {
    url,
    credential: apiKey !== undefined ? 'key' : token !== undefined ? 'token' : 'cookie',
    session: id => sessionOf(api, id),
    sessions: {
      create: async body =>
        (await answered(calls.POST('/api/plugins/sessions/operations/create', { body }))).result,
      list: (query = {}) => answered(calls.GET('/api/sessions', { params: { query } })),
      delete: async sessionId =>
        (await answered(calls.POST('/api/plugins/sessions/operations/delete', { body: { sessionId } })))
          .result
    },
    waiting: (query = {}) => answered(calls.GET('/api/waiting', { params: { query } })),
    agents: agentsOf(api),
    connections: connectionsOf(api),
    webhooks: webhooksOf(api),
    api: calls,
    token: refused => (refused === undefined ? credential.current() : credential.renew(refused)),
    fetch: api.fetch
  }
}
