import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/** The name of an integration or of a connection to it, such as "github" or "github-work". */
export const ConnectionName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'Use only lowercase letters, digits, - and _.')

/**
 * The kind of a connection's credential: tokens from the provider (`oauth`), or credentials that a user entered
 * (`api_key`).
 */
export const CredentialKind = z.enum(['oauth', 'api_key'])
export type CredentialKind = z.infer<typeof CredentialKind>

/**
 * How an account is connected: by consent in a provider window (`oauth`), with a code that the user enters at the
 * provider, on any device (`device`, RFC 8628), or with credentials entered on our page (`api_key`).
 */
export const ConnectMode = z.enum(['oauth', 'device', 'api_key'])
export type ConnectMode = z.infer<typeof ConnectMode>

/** Returns the kind of credential that this mode produces. */
export const kindOfCredential = (mode: ConnectMode): CredentialKind =>
  mode === 'api_key' ? 'api_key' : 'oauth'

/** Where a connection can be used: in all sessions of the workspace, in calls for one user, or in one session. */
export const Sharing = z.enum(['workspace', 'user', 'session'])
export type Sharing = z.infer<typeof Sharing>

/** `needs_auth`: the provider no longer accepts the credential. `revoked`: a user disconnected it. */
export const ConnectionState = z.enum(['active', 'needs_auth', 'revoked'])
export type ConnectionState = z.infer<typeof ConnectionState>

/** Input of `request_connection` (002-7, 002b). `slug` defaults to the integration's name. */
export const RequestConnection = z.strictObject({
  integration: ConnectionName,
  slug: ConnectionName.optional(),
  mode: CredentialKind.optional()
})
export type RequestConnection = z.infer<typeof RequestConnection>

/**
 * The result for the model (002-10), never with a secret. `reason` is one of:
 * - `declined`
 * - `cancelled`: the window was closed
 * - `failed`: the provider returned an error
 * - `timeout`
 * - `not_active`: a user reported a connection that is not active
 */
export const ConnectResult = z.object({
  connected: z.boolean(),
  integration: z.string(),
  slug: z.string(),
  reason: z.string().max(200).optional()
})
export type ConnectResult = z.infer<typeof ConnectResult>

/** A connection without its credential. `sessions` are those that used it, newest first. */
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

/** The origin of the page that opens the window. Absent: this server's origin. */
const Opener = z.string().max(300).optional()

/** Starts connecting an account from the connections page. */
export const BeginConnect = z.strictObject({
  integration: ConnectionName,
  slug: ConnectionName.optional(),
  mode: ConnectMode.optional(),
  sharing: Sharing.optional(),
  opener: Opener
})
export type BeginConnect = z.infer<typeof BeginConnect>

/** Starts connecting an account for a pending call. */
export const ConnectCall = z.object({
  sessionId: z.string(),
  toolCallId: z.string().min(1).max(200),
  mode: ConnectMode.optional(),
  /**
   * If true, a call that ended without the account is accepted too. Its result does not change. Once the account is
   * connected, the agent receives a message about it and continues.
   */
  again: z.boolean().optional(),
  opener: Opener
})
export type ConnectCall = z.infer<typeof ConnectCall>

export const InConnectionCall = ConnectCall.pick({ sessionId: true, toolCallId: true })
export type InConnectionCall = z.infer<typeof InConnectionCall>

/** An attempt of the caller that has no outcome yet. `expiresAt` is its time limit. */
export const OpenAttempt = z.object({ attemptId: z.string(), mode: ConnectMode, expiresAt: Time })
export type OpenAttempt = z.infer<typeof OpenAttempt>

/**
 * The account that a call asked for. `attempt` is the caller's newest open attempt to connect it for this call.
 * - `connected`: the session can use it now
 * - `available`: the caller can connect it
 * - `not_yours`: another user must connect it
 * - `needs_setup`: an owner must register this server with the provider
 * - `removed`: the workspace no longer has the integration
 */
export const ConnectionOfCall = z.object({
  integration: z.string(),
  slug: z.string(),
  service: z.string(),
  state: z.enum(['connected', 'available', 'not_yours', 'needs_setup', 'removed']),
  attempt: OpenAttempt.optional()
})
export type ConnectionOfCall = z.infer<typeof ConnectionOfCall>

/** `url` is where the user continues in a separate window, before `expiresAt`. It is valid for this user only. */
export const BegunConnect = z.object({
  attemptId: z.string(),
  mode: ConnectMode,
  url: z.url(),
  expiresAt: Time
})
export type BegunConnect = z.infer<typeof BegunConnect>

/** How a connection attempt ended. `words` is the provider's message, for people. */
export const AttemptOutcome = z.object({
  connected: z.boolean(),
  reason: z.string().optional(),
  words: z.string().optional()
})
export type AttemptOutcome = z.infer<typeof AttemptOutcome>

export const InAttempt = z.object({ attemptId: z.string().max(64) })
export type InAttempt = z.infer<typeof InAttempt>

/** `open` until the provider responds or the attempt expires. */
export const Attempt = z.object({
  attemptId: z.string(),
  state: z.enum(['open', 'connected', 'failed', 'expired']),
  words: z.string().optional()
})
export type Attempt = z.infer<typeof Attempt>
