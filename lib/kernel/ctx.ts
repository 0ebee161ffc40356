import type { Outbound } from '@waystation/egress'
import type { Schemas } from '@waystation/json-schemas'
import type { PluginHost } from '@waystation/plugin-host/contract.ts'
import type { CallAccount } from '@waystation/protocol/call/answer-policy.ts'
import type { CallKind } from '@waystation/protocol/call/call.ts'
import type { IntegrationConfig } from '@waystation/protocol/connection/integration.ts'
import type { WebhookEvent } from '@waystation/protocol/external-agent/webhook.ts'
import type { OobTrust } from '@waystation/protocol/out-of-band/oob-trust.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import type { McpPrograms, Scripts } from '@waystation/sandbox'
import type { WikiEngine } from '@waystation/tiddlywiki'
import type { Db, Sql } from '#db/client.ts'
import type { Redaction } from '#lib/kernel/ports/redaction.ts'

/** The role of a member or API key, from most to least permissions. */
export type Role = 'owner' | 'editor' | 'operator' | 'viewer'

/** The scopes of a session token: read its session, send messages, and answer requests as the end user. */
export type SubjectScope = 'read' | 'send' | 'answer'

/**
 * An end user, authenticated by a session token. `subject` is the product's ID for the end user. The token is valid for
 * one generation of one session. `lib/engine/log/session-lock.ts` finds no other session for it.
 */
export type Subject = {
  kind: 'subject'
  tokenId: string
  /** The same value as `subject`. `answeredBy` and `sentBy` record it. */
  name: string
  subject: string
  scopes: SubjectScope[]
  sessionId: string
  generation: number
  workspaceId: string
}

/** The caller of a verb. `system` is the server itself (jobs, deadlines, its own tools). */
export type Actor =
  | {
      kind: 'person'
      userId: string
      name: string
      role: Role
      workspaceId: string
      /** The row in `sign_ins` for the browser's session. */
      signInId?: string
    }
  | {
      kind: 'key'
      keyId: string
      name: string
      role: Role
      workspaceId: string
      /** The out-of-band messages that it can send. Absent: those of a new key. */
      outOfBand?: OobTrust
    }
  | Subject
  | {
      kind: 'system'
      name: string
      workspaceId: string
      /** The person that the server acts for, who is recorded as the sender. */
      behalf?: { id: string; name: string }
    }

/**
 * The context of a verb: the caller, the workspace, and the database (the current transaction, or a pool outside of
 * one). `afterCommit` runs work after the outermost transaction commits, or at once outside of a transaction.
 *
 * In a transaction, `beforeCommit` sends a statement together with the commit, which saves a round trip. For a promise of
 * statements that are all sent already, only waiting for them is delayed. No statement may depend on a result of these:
 * it would follow the commit. `flush` sends all such writes now, for statements
 * that must see them. It queues them at once, so the caller can send more behind them.
 */
export type Ctx = {
  readonly actor: Actor
  readonly workspaceId: string
  readonly sql: Sql
  readonly db: Db
  readonly afterCommit: (work: () => void) => void
  readonly beforeCommit: (write: (() => Promise<unknown>) | Promise<unknown>) => void
  readonly flush: () => Promise<void>
  readonly ports: Ports
}

/** The functions of a context that is in no transaction. */
export const outsideTransaction: Pick<Ctx, 'afterCommit' | 'beforeCommit' | 'flush'> = {
  afterCommit: effect => effect(),
  beforeCommit() {
    throw new Error('A write before the commit needs a transaction.')
  },
  flush: async () => undefined
}

/** See `Ports.notify`. */
export type Notify = (sessionKey: number, events?: readonly SessionEvent[]) => void

/**
 * Services that verbs need besides the database, bound in `compose.ts`. A folder above the kernel adds its own ports
 * from its own file (`declare module`), so the kernel does not know their types.
 */
export interface Ports {
  /**
   * Wakes all followers of the session, in this process and in others. A lost notification only adds latency. With
   * committed `events`, followers in this process receive these without a read (`lib/engine/log/subscribe.ts`).
   */
  notify: Notify
  /** Stops a turn of this process at once. Other processes notice at their next heartbeat or append. */
  cancel: (sessionKey: number, turnId: string) => void
  /**
   * Returns this process's worker if it can take a locked session without an owner. The caller makes it the owner, with
   * the next epoch, in this transaction. The worker starts after the commit. Undefined: this process has no worker or no
   * capacity, so the caller must notify others.
   */
  claim?: (tx: Ctx, session: { sessionKey: number; epoch: number; format: number }) => string | undefined
  /**
   * Yields events of a session after a cursor as they occur, or 'reset' if they are no longer available. `seq` always
   * increases.
   */
  follow: (sessionKey: number, after: number, signal: AbortSignal) => AsyncIterable<SessionEvent | 'reset'>
  /** The public origin of this server, without a trailing slash. */
  origin: string
  vault: Vault
  /** The only way to send outgoing requests (`safeFetch` of `@waystation/egress`). */
  fetch: Outbound
  /** Integrations that come with this server, and their client secrets, which are never shown. */
  integrations: readonly (IntegrationConfig & { clientSecret?: string })[]
  /** The operator's redaction, which every text passes before it is stored. */
  redaction?: Redaction | undefined
  /**
   * Returns true if this generation of the session has an active account of this name. Call it in the transaction that
   * uses the result.
   */
  isConnected: (
    tx: Ctx,
    session: { sessionKey: number; generation: number; account: CallAccount | null },
    connection: { integration: string; slug: string }
  ) => Promise<boolean>
  /** Queues the workspace's webhooks for an event, in the transaction of the event. */
  notifyWebhooks: (tx: Ctx, at: SessionRef, event: WebhookTrigger) => Promise<void>
  /** Counts a request against its rate limit. Throws `RATE_LIMITED` when the limit is exceeded. */
  enforceRateLimit: RateLimits
  /** Limits how many streams and requests are open in this process. */
  acquireSlot: AcquireSlot
  /** Matches the patterns of tool rules (`features/approvals/patterns.ts`). */
  patterns: Patterns
  /** Validates values with untrusted JSON Schemas (`packages/json-schemas`). */
  schemas: Schemas
  /** TiddlyWiki (`packages/tiddlywiki`). */
  wikis: WikiEngine
  /** MCP servers that are programs on this machine. Undefined: none are allowed. */
  programs?: McpPrograms | undefined
  /** Runs scripts of agents in a sandbox. Undefined: scripts are off. */
  scripts?: Scripts | undefined
  /** gRPC plugins. Undefined: none are configured. */
  plugins?: PluginHost | undefined
}

/**
 * Matches patterns in linear time, in another thread. `undefined` as a result means a timeout. `lane` (from `laneOf`)
 * is for fair scheduling.
 */
export type Patterns = {
  /** Returns the index of the first pattern that matches the text, or null if none does. */
  find: (patterns: readonly string[], text: string, lane?: string) => Promise<number | null | undefined>
  /** Returns for each pattern why it cannot be used, or null if it can. */
  errorsOf: (patterns: readonly string[], lane?: string) => Promise<(string | null)[] | undefined>
}

/**
 * The kinds of rate limits. They count requests of an API key or an end user, requests to one session's callback, uses
 * of one call's answer links, sign-ins, requests without a valid credential, and out-of-band messages of one source.
 */
export type RateLimitKind =
  | 'key'
  | 'subject'
  | 'callback'
  | 'openCall'
  | 'accountRequest'
  | 'answer'
  | 'signIn'
  | 'unauthenticated'
  | 'outOfBand'

/**
 * Throws `RATE_LIMITED` when the limit is exceeded. `who` is a key ID, an end user of a workspace, a generation of a
 * session, a call, a client IP, or a source and target of out-of-band messages. With `look`, the request is checked but
 * not counted.
 */
export type RateLimits = (kind: RateLimitKind, who: string, mode?: 'look') => Promise<void>

/**
 * Things whose number is limited: streams per reader and per process, exports, and concurrent requests per answer link
 * or key.
 */
export type ConcurrencyKind =
  | 'tokenStream'
  | 'subjectStream'
  | 'memberStream'
  | 'keyStream'
  | 'stream'
  | 'export'
  | 'linkRequest'
  | 'keyRequest'

/**
 * Takes one of the available slots and returns a function that releases it. Throws `RATE_LIMITED` if none is left.
 * `who` is empty for limits of the process.
 */
export type AcquireSlot = (kind: ConcurrencyKind, who: string) => () => void

/**
 * Encrypts secrets before they are stored. A secret can be decrypted only for the `purpose` that it was encrypted for.
 */
export type Vault = {
  encrypt(secret: string, purpose: string): string
  /** Throws for a forged value, and with instructions for the operator if the key is missing. */
  decrypt(sealed: string, purpose: string): string
  /** IDs of keys that only decrypt. An ID is the second part (between dots) of each encrypted value. */
  olderKeys: readonly string[]
}

/** The session of an event. */
export type SessionRef = { workspaceId: string; sessionKey: number; sessionId: string; agentId: string }

/**
 * An event for webhooks. `about` deduplicates events of a type. `asks` is set for a call that recipients can answer:
 * each webhook gets its own answer link. For a held out-of-band message, `kind` is `oob` and `toolCallId` its ID.
 */
export type WebhookTrigger = {
  type: WebhookEvent
  about: string
  data: Record<string, unknown>
  asks?: { generation: number; toolCallId: string; kind: CallKind | 'oob' }
}
