import type { Db, Sql } from '#db/client.ts'
import type { CallAccount } from '#lib/protocol/call/answerers.ts'
import type { CallKind } from '#lib/protocol/call/call.ts'
import type { IntegrationConfig } from '#lib/protocol/connection/integration.ts'
import type { WebhookEvent } from '#lib/protocol/external-agent/webhook.ts'
import type { SessionEvent } from '#lib/protocol/session/event.ts'
import type { McpPrograms } from './ports/mcp-talk.ts'
import type { PluginHost } from './ports/plugin-host.ts'
import type { Scripts } from './ports/scripts.ts'
import type { WikiEngine } from './ports/wiki-engine.ts'
import type { Redaction } from './redact.ts'

export type Role = 'owner' | 'editor' | 'operator' | 'viewer'

/** What a session token may be good for: look at its session, talk to the agent, answer for the person it stands for. */
export type SubjectScope = 'read' | 'send' | 'answer'

/**
 * The end user of somebody's product, by a session token: `subject` is who the product says they are. It reaches one
 * life (`generation`) of one session; `lib/engine/log/session-lock.ts` finds no other for it.
 */
export type Subject = {
  kind: 'subject'
  tokenId: string
  /** The same as `subject`: what `answeredBy` and `sentBy` record. */
  name: string
  subject: string
  scopes: SubjectScope[]
  sessionId: string
  generation: number
  workspaceId: string
}

/** Who is calling. Every verb gets one; `system` is the server itself (jobs, deadlines, its own tools). */
export type Actor =
  | {
      kind: 'person'
      userId: string
      name: string
      role: Role
      workspaceId: string
      /** The row in `sign_ins` that a request from a browser names. */
      signInId?: string
    }
  | { kind: 'key'; keyId: string; name: string; role: Role; workspaceId: string }
  | Subject
  | {
      kind: 'system'
      name: string
      workspaceId: string
      /** For whom it does it: they are who sends what it sends. */
      behalf?: { id: string; name: string }
    }

/**
 * What a verb works with: who asks, in which workspace, and the database: outside a transaction a pool, inside one
 * that transaction. `afterCommit` runs once the outermost transaction has committed, or at once outside of one.
 */
export type Ctx = {
  readonly actor: Actor
  readonly workspaceId: string
  readonly sql: Sql
  readonly db: Db
  readonly afterCommit: (work: () => void) => void
  readonly ports: Ports
}

/**
 * What a verb needs beside the database, bound in `compose.ts`. A folder above kernel that needs a port of its own adds it here
 * from its own file (`declare module`), so that kernel knows none of their types.
 */
export interface Ports {
  /** Wakes whoever follows this session, here and in other processes. Costs latency when lost, nothing else. */
  notify: (sessionKey: number) => void
  /**
   * Gives what this process has just committed to its own followers, so that they need not read it; calls `notify` for all
   * others. `lib/engine/log/subscribe.ts` has the contract. Left out: everybody is rung, and reads.
   */
  publish?: (sessionKey: number, events: readonly SessionEvent[], ring: () => void) => void
  /** Tells a turn of this process to stop at once; another process hears it by its next beat or append. */
  cancel: (sessionKey: number, turnId: string) => void
  /**
   * Gives a session that nobody owns to this process's own worker, in the transaction that holds its head's lock; it is
   * advanced once that is committed. Undefined: there is no worker here, or it has no room, so the bell must be rung.
   */
  claim?: (tx: Ctx, sessionKey: number) => Promise<{ workerId: string; epoch: number } | undefined>
  /** The events of a session after a cursor, as they happen; 'reset' when they are gone. Its seq is always rising. */
  follow: (sessionKey: number, after: number, signal: AbortSignal) => AsyncIterable<SessionEvent | 'reset'>
  /** Public origin of this server, without a trailing slash. */
  origin: string
  vault: Vault
  /** The only way out (`net/safe-fetch.ts`). */
  fetch: Outbound
  /** The services that this server brings, for accounts to be connected at; with the client's secret, which nobody is shown. */
  integrations: readonly (IntegrationConfig & { clientSecret?: string })[]
  /** What every text passes before it is stored, where the operator has one. */
  redaction?: Redaction | undefined
  /** Whether this life of a session has an account of this name that is active now. Belongs in the caller's transaction. */
  isConnected: (
    tx: Ctx,
    life: { sessionKey: number; generation: number; account: CallAccount | null },
    asked: { integration: string; slug: string }
  ) => Promise<boolean>
  /** Tells the workspace's webhooks of what happens in this very transaction. */
  notifyWebhooks: (tx: Ctx, at: InSessionOf, event: Fired) => Promise<void>
  /** Counts a request of somebody against their limit, and refuses it past that: `429 RATE_LIMITED`. */
  enforceRateLimit: RateLimits
  /** Bounds what is open at once in this process. */
  takePlace: HoldPlace
  /** What tool rules look for (`features/approvals/patterns.ts`). */
  patterns: Patterns
  /** Checks values by JSON Schemas that others wrote (`kernel/schemas/schemas.ts`). */
  schemas: Schemas
  /** TiddlyWiki (`features/wikis/engine.ts`). */
  wikis: WikiEngine
  /** MCP servers that are programs of this machine. Undefined: none are allowed. */
  programs?: McpPrograms | undefined
  /** Scripts of agents, in a sandbox. Undefined: they are switched off. */
  scripts?: Scripts | undefined
  /** gRPC plugins. Undefined: none are configured. */
  plugins?: PluginHost | undefined
}

/**
 * Looks for patterns in linear time, beside what this process does. Undefined: it could not be told in time. `lane`: for whom
 * (`laneOf`); lanes take turns.
 */
export type Patterns = {
  /** The place of the first pattern that is found in the text; null when none is. */
  find: (patterns: readonly string[], text: string, lane?: string) => Promise<number | null | undefined>
  /** Of each, why it cannot be used; null where it can. */
  faultsOf: (patterns: readonly string[], lane?: string) => Promise<(string | null)[] | undefined>
}

/**
 * Reads JSON Schemas of others and checks values by them, beside what this process does and in bounded time. `lane`: for whom
 * (`laneOf`); lanes take turns.
 */
export type Schemas = {
  /**
   * The value with the schema's defaults; or by its path ('' for the whole) what does not fit. `late`: it could not be checked in
   * time, so nobody knows whether it fits.
   */
  check: (
    schema: Record<string, unknown>,
    value: unknown,
    lane: string
  ) => Promise<{ ok: true; value: unknown } | { ok: false; fields: Record<string, string>; late?: true }>
  /** Of each, why it cannot be used, as the end of a sentence that begins with "it"; null where it can. */
  faultsOf: (schemas: readonly Record<string, unknown>[], lane: string) => Promise<(string | null)[]>
}

/**
 * A request to elsewhere. `timeout` in milliseconds; `changes`: whether it changes anything there, where its method does not
 * tell; the rest, and what it throws, is `safeFetch`'s.
 */
export type Outbound = (
  url: string,
  init?: {
    method?: string
    headers?: Record<string, string>
    body?: string
    redirect?: 'follow' | 'manual'
    maxBytes?: number
    timeout?: number
    signal?: AbortSignal
    changes?: boolean
    heard?: ((piece: Uint8Array) => void) | undefined
  }
) => Promise<OutboundAnswer>
export type OutboundAnswer = {
  status: number
  url: string
  headers: Headers
  body: Uint8Array
  text: () => string
}

/**
 * Whose requests are limited: an API key's, an end user's, those to one session's callback, uses of one call's answer links,
 * those that sign in, those without a credential that opens anything, a source's.
 */
export type Limited = 'key' | 'subject' | 'callback' | 'answer' | 'signIn' | 'unauthenticated' | 'outOfBand'

/**
 * `who`: a key's ID, a workspace's subject, a session's life, a call, a client IP, a source of out-of-band messages and its
 * target. With `look`, nothing is counted: it only refuses when the limit is reached.
 */
export type RateLimits = (kind: Limited, who: string, look?: 'look') => Promise<void>

/** Of what only so many may be open at once: streams of one reader or of the process, exports, requests of one link or key. */
export type Held =
  | 'tokenStream'
  | 'subjectStream'
  | 'memberStream'
  | 'keyStream'
  | 'stream'
  | 'export'
  | 'linkRequest'
  | 'keyRequest'

/** Takes a place; the result gives it back, once. When none is left: `429 RATE_LIMITED`. `who` is empty for the process. */
export type HoldPlace = (kind: Held, who: string) => () => void

/** Seals secrets before they are stored. `purpose` says what one is for; it opens for nothing else. */
export type Vault = {
  seal(secret: string, purpose: string): string
  /** Throws a sentence for whoever runs the server when its key is not there; for anything forged, too. */
  open(sealed: string, purpose: string): string
  /** The IDs of the keys that only open: the second part, between dots, of what they have sealed. */
  olderKeys: readonly string[]
}

/** Which session something happens in. */
export type InSessionOf = { workspaceId: string; sessionKey: number; sessionId: string; agentId: string }

/**
 * Something that a workspace may be told of. `about` makes it one of its kind. `asks`: a call that whoever is told may answer
 * by a link of their own.
 */
export type Fired = {
  type: WebhookEvent
  about: string
  data: Record<string, unknown>
  asks?: { generation: number; toolCallId: string; kind: CallKind }
}
