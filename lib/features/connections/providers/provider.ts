import { KnownError } from '@waystation/base/known-error.ts'
import type { Authority } from '@waystation/protocol/connection/integration.ts'
import type { Credential } from '#lib/features/connections/credential.ts'

/**
 * A credential that a provider granted. `expiresIn` is the lifetime of the access token in seconds.
 * `authority` is the authorization server, if it was discovered.
 */
export type Grant = {
  credential: Credential
  expiresIn?: number
  scopes: string[]
  account?: string
  authority?: Authority
}

/** A granted credential and its provider. If the credential is not stored, it is revoked there and nowhere else. */
export type ProviderGrant = { granted: Grant; from: Pick<Provider, 'revoke'> }

/** A redirect to the provider: its URL, and the data that is stored until the browser returns. */
export type AuthorizationRequest = { url: string; flow: FlowSecrets }
/** The secrets of an authorization request. `authority` is the authorization server, if it was discovered. */
export type FlowSecrets = { verifier: string; nonce?: string; authority?: Authority }

/**
 * A code to enter at the provider and the page for it. `verificationUriComplete` already contains the code
 * (RFC 8628, 3.3.1).
 */
export type DeviceCode = {
  deviceCode: string
  userCode: string
  verificationUri: string
  verificationUriComplete?: string
}

/**
 * The error for a provider that rejects a request or does not respond. The message is for users. `again`
 * means that the same credential may work later, so it stays valid.
 */
export class ProviderError extends KnownError {
  static override readonly kind: string = 'ProviderError'
  readonly again: boolean

  constructor(words: string, { again = false, cause }: { again?: boolean; cause?: unknown } = {}) {
    super(words, { cause })
    this.again = again
  }
}

/**
 * An OAuth service (docs/architecture.md#extension-points, extension point "connection"). Every method may
 * throw `ProviderError`.
 */
export type Provider = {
  /** Returns the URL of the consent page. */
  authorizeUrl(request: { state: string; scopes: readonly string[] }): Promise<AuthorizationRequest>
  /** Checks the response that a browser brought back and exchanges its code for a credential. */
  exchange(answer: URL, flow: FlowSecrets & { state: string }): Promise<Grant>
  /** Requests a code for the user. `expiresIn` and `interval`, the time between polls, are in seconds. */
  requestCode(scopes: readonly string[]): Promise<{ code: DeviceCode; expiresIn: number; interval: number }>
  /** Polls once whether the user has entered and approved the code. */
  redeemCode(deviceCode: string): Promise<Grant | 'authorization_pending' | 'slow_down' | 'expired_token'>
  /** Returns a new access token. If the provider rotates refresh tokens, the new one replaces the old one. */
  refresh(refreshToken: string): Promise<Grant>
  /** Revokes a credential (RFC 7009). Returns false if the provider does not support revocation. */
  revoke(credential: Credential): Promise<boolean>
}
