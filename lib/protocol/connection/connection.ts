import { z } from 'zod'
import { Time } from '#lib/protocol/time.ts'

/** The name of an integration, and of a connection to it: "github", "github-work". */
export const ConnectionName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'Use only lowercase letters, digits, - and _.')

/** What a connection's credential is: tokens that the provider gave by its own consent, or what somebody entered here. */
export const CredentialKind = z.enum(['oauth', 'api_key'])
export type CredentialKind = z.infer<typeof CredentialKind>

/**
 * How an account is connected: by the provider's consent in a window, by a code that is entered at the provider, on this
 * device or another (`device`, RFC 8628), or with credentials that somebody enters on our page.
 */
export const ConnectMode = z.enum(['oauth', 'device', 'api_key'])
export type ConnectMode = z.infer<typeof ConnectMode>

/** What comes of connecting in that way. */
export const kindOfCredential = (mode: ConnectMode): CredentialKind =>
  mode === 'api_key' ? 'api_key' : 'oauth'

/** Who a connection is for: every session of the workspace, what one person asks for, or one session. */
export const Sharing = z.enum(['workspace', 'user', 'session'])
export type Sharing = z.infer<typeof Sharing>

/** `needs_auth`: the provider does not accept it any more; `revoked`: somebody here ended it. */
export const ConnectionState = z.enum(['active', 'needs_auth', 'revoked'])
export type ConnectionState = z.infer<typeof ConnectionState>

/** Input of `request_connection` (002-7, 002b). `slug` is the integration's name unless it says another. */
export const RequestConnection = z.strictObject({
  integration: ConnectionName,
  slug: ConnectionName.optional(),
  mode: CredentialKind.optional()
})
export type RequestConnection = z.infer<typeof RequestConnection>

/**
 * What the model is told (002-10): a reference, never a secret. `reason`: `declined`, `cancelled` (the window was closed),
 * `failed` (the provider refused), `timeout`, or `not_active` (somebody said it is connected, and it is not).
 */
export const ConnectResult = z.object({
  connected: z.boolean(),
  integration: z.string(),
  slug: z.string(),
  reason: z.string().max(200).optional()
})
export type ConnectResult = z.infer<typeof ConnectResult>

/** The render hint of a call that waits for a connection, whatever tool asked for it (002-4). */
export const ConnectHint = z.looseObject({
  kind: z.literal('connect'),
  integration: ConnectionName,
  slug: ConnectionName,
  /** What people call the service. */
  service: z.string(),
  /** The ways in which it can be connected, the preferred one first; none: nobody has set it up. */
  modes: z.array(ConnectMode),
  scopes: z.array(z.string()).optional(),
  why: z.string().optional()
})
export type ConnectHint = z.infer<typeof ConnectHint>

/** A connection as people see it; nothing of its credential. `sessions`: those that used it, newest first. */
export const Connection = z.object({
  connectionId: z.string(),
  integration: z.string(),
  service: z.string(),
  slug: z.string(),
  sharing: Sharing,
  owner: z.string(),
  mine: z.boolean(),
  mode: CredentialKind,
  state: ConnectionState,
  account: z.string().optional(),
  scopes: z.array(z.string()),
  fault: z.string().optional(),
  connectedBy: z.string(),
  connectedAt: Time,
  lastUsedAt: Time.optional(),
  expiresAt: Time.optional(),
  sessions: z.array(z.object({ sessionId: z.string(), title: z.string(), usedAt: Time }))
})
export type Connection = z.infer<typeof Connection>

export const ListConnections = z.object({})
export const InConnection = z.object({ connectionId: z.string().max(64) })
export type InConnection = z.infer<typeof InConnection>

/** The origin of the page that opens the window; absent: this server's own. */
const Opener = z.string().max(300).optional()

/** Begins to connect an account on the page of connections. */
export const BeginConnect = z.strictObject({
  integration: ConnectionName,
  slug: ConnectionName.optional(),
  mode: ConnectMode.optional(),
  sharing: Sharing.optional(),
  opener: Opener
})
export type BeginConnect = z.infer<typeof BeginConnect>

/** The same for a call that asks for it. */
export const ConnectCall = z.object({
  sessionId: z.string(),
  toolCallId: z.string().min(1).max(200),
  mode: ConnectMode.optional(),
  /** True: also of a call that is settled. It stays as it is; what is connected is there the next time. */
  again: z.boolean().optional(),
  opener: Opener
})
export type ConnectCall = z.infer<typeof ConnectCall>

/** Where whoever connects goes on, in a window of their own, within `expiresAt`. The address is for them alone. */
export const BegunConnect = z.object({
  attemptId: z.string(),
  mode: ConnectMode,
  url: z.url(),
  expiresAt: Time
})
export type BegunConnect = z.infer<typeof BegunConnect>

/** How an attempt ended. `words`: what the provider said, for people. */
export const AttemptOutcome = z.object({
  connected: z.boolean(),
  reason: z.string().optional(),
  words: z.string().optional()
})
export type AttemptOutcome = z.infer<typeof AttemptOutcome>

export const InAttempt = z.object({ attemptId: z.string().max(64) })
export type InAttempt = z.infer<typeof InAttempt>

/** `open` until the provider answered or its time is over. */
export const Attempt = z.object({
  attemptId: z.string(),
  state: z.enum(['open', 'connected', 'failed', 'expired']),
  words: z.string().optional()
})
export type Attempt = z.infer<typeof Attempt>
