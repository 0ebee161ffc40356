import { type AgentsClient, agentsOf } from './agents.ts'
import { authorised } from './authorised.ts'
import type { Backoff } from './backoff.ts'
import { type CallOperation, callerOf, type Input, type Operation, type UrlInput, urlOf } from './call.ts'
import { type CatalogueClient, catalogueOf } from './catalogue.ts'
import { type ConnectionsClient, connectionsOf } from './connections.ts'
import { credentialOf } from './credential.ts'
import { type SessionClient, sessionOf } from './session.ts'
import type {
  CreateSession,
  HeldMessage,
  ListedSession,
  ListSessions,
  ListWaiting,
  WaitingCall
} from './types.ts'
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
} & Partial<Settings>

type Settings = {
  /**
   * Maximum number of attempts for reads, answers, and requests with an idempotency key. Default: 4. All
   * other requests are sent once.
   */
  tries: number
  /**
   * After this many ms, an attempt fails with `UNREACHABLE`. Default: 20000. For a file, the time ends when
   * its response starts. Uploads have no time limit.
   */
  timeout: number
  /** Waits between retries, in ms. Default: `{first: 400, longest: 15000}`. */
  backoff: Backoff
  /**
   * After this many ms without data, an event stream reconnects. Default: 40000. The server sends data at
   * least every 15 s.
   */
  silence: number
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
   * Lists the pending calls of the workspace, nearest deadline first, up to 500 per page. The first page also
   * has the out-of-band messages that are held for approval (`held`). Not available with a session token.
   */
  waiting: (
    query?: ListWaiting
  ) => Promise<{ calls: WaitingCall[]; held: HeldMessage[]; nextCursor: string | null }>
  agents: AgentsClient
  catalogue: CatalogueClient
  connections: ConnectionsClient
  webhooks: WebhooksClient
  /** Calls any operation of the HTTP API by its ID: `call('getAgent', { path: { agentId } })`. */
  call: CallOperation
  /** Returns the URL of an operation, for example for a link. It sends no request. */
  href: <Name extends Operation>(name: Name, ...input: Input<UrlInput<Name>>) => string
  /** Returns a client with the same credential and other settings. */
  with: (settings: Partial<Settings>) => WaystationClient
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
  const { url, apiKey, token, workspace, fetch, ...settings } = options
  if (apiKey !== undefined && token !== undefined) throw new TypeError('Set apiKey or token, not both.')
  const credential = credentialOf(apiKey ?? token)
  return clientOf(
    {
      url: url.replace(/\/+$/, ''),
      credential: apiKey !== undefined ? 'key' : token !== undefined ? 'token' : 'cookie',
      fetch: authorised({ fetch, credential, workspace }),
      token: refused => (refused === undefined ? credential.current() : credential.renew(refused))
    },
    { tries: 4, timeout: 20_000, backoff: { first: 400, longest: 15_000 }, silence: 40_000, ...settings }
  )
}

type Server = Pick<WaystationClient, 'url' | 'credential' | 'token'> & {
  fetch: ReturnType<typeof authorised>
}

function clientOf(server: Server, settings: Settings): WaystationClient {
  const call = callerOf({ ...server, ...settings })
  return {
    url: server.url,
    credential: server.credential,
    session: id => sessionOf({ ...server, ...settings, call }, id),
    sessions: {
      create: async body => (await call('createSession', { body })).result,
      list: (query = {}) => call('listSessions', { query }),
      delete: async sessionId => (await call('deleteSession', { body: { sessionId } })).result
    },
    waiting: (query = {}) => call('listWaiting', { query }),
    agents: agentsOf(call),
    catalogue: catalogueOf(call),
    connections: connectionsOf(call),
    webhooks: webhooksOf(call),
    call,
    href: (name, ...[input]) => urlOf(server.url, name, input),
    with: changes => clientOf(server, { ...settings, ...changes }),
    token: server.token,
    fetch: (input, init) => server.fetch(input, init)
  }
}
