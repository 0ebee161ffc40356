import { answered, apiOf, type Calls } from './api.ts'
import { authorised } from './authorised.ts'
import type { Backoff } from './backoff.ts'
import { credentialOf } from './credential.ts'
import { type SessionClient, sessionOf } from './session.ts'
import type { CreateSession, ListedSession, ListSessions, WaitingCall } from './types.ts'

export type ClientOptions = {
  /** The server's origin. */
  url: string
  /** A session token, or what gets one: asked at first use, and again whenever the last one has run out. */
  token?: string | (() => Promise<string>)
  /** A workspace's API key, on servers only. Without this and `token` the browser's own cookie is sent. */
  apiKey?: string
  /** The workspace that is meant, for a person in several. */
  workspace?: string
  fetch?: typeof fetch
  /** Waits before something is tried again, in ms. */
  backoff?: Backoff
  /** Silence after which an event stream counts as dead, in ms. */
  silence?: number
}

export type WaystationClient = {
  url: string
  /** What it calls with: a `token` opens one session, a `key` or a `cookie` what its role covers. */
  credential: 'token' | 'key' | 'cookie'
  /** One session, by its ID. Nothing is asked yet. */
  session: (id: string) => SessionClient
  sessions: {
    /** Creates a session, attaches to it, or revives it empty. */
    create: (session: CreateSession) => Promise<{ sessionId: string; agentId: string; created: boolean }>
    list: (query?: ListSessions) => Promise<{ sessions: ListedSession[]; nextCursor: string | null }>
    delete: (sessionId: string) => Promise<{ sessionId: string }>
  }
  /** Every open call of the workspace, nearest deadline first; a session token may not ask. */
  waiting: (query?: { cursor?: string }) => Promise<{ calls: WaitingCall[]; nextCursor: string | null }>
  /** Every other call of the API, typed by method and path. */
  api: Calls
  /**
   * The secret that it calls with, for a WebSocket's `hello`. Undefined: the browser's cookie. Pass a secret that the server
   * refused, and you get a new one if there is one.
   */
  token: (refused?: string) => Promise<string | undefined>
  /** `fetch` of this server with this client's credential, renewed when it has run out. */
  fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>
}

/** A client of one Waystation, in a browser or on a server. */
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
    api: calls,
    token: refused => (refused === undefined ? credential.current() : credential.renew(refused)),
    fetch: api.fetch
  }
}
