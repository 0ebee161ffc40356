import type { Credential } from '#lib/features/connections/credential.ts'
import { KnownError } from '#lib/kernel/known-error.ts'
import type { Authority } from '#lib/protocol/connection/integration.ts'

/**
 * What a provider gave: the credential, in how many seconds its access token runs out, what it is good for, and whose.
 * `authority`: who gave it, where that was looked up.
 */
export type Granted = {
  credential: Credential
  expiresIn?: number
  scopes: string[]
  account?: string
  authority?: Authority
}

/** What was given, and who gave it: what is not kept goes back there and nowhere else. */
export type Given = { granted: Granted; from: Pick<Provider, 'revoke'> }

/** What the browser takes along: where it is sent, and what is kept here until it comes back. */
export type Departure = { url: string; kept: Kept }
export type Kept = { verifier: string; nonce?: string; authority?: Authority }

/** What is entered at the provider, and where; with `verificationUriComplete` it stands there already (RFC 8628, 3.3.1). */
export type DeviceCode = {
  deviceCode: string
  userCode: string
  verificationUri: string
  verificationUriComplete?: string
}

/**
 * A provider said no, or did not answer. `words` are for people; `again`: the same credential may work later, so nothing
 * is known to be over.
 */
export class ProviderRefused extends KnownError {
  static override readonly kind: string = 'ProviderRefused'
  readonly again: boolean

  constructor(words: string, { again = false, cause }: { again?: boolean; cause?: unknown } = {}) {
    super(words, { cause })
    this.again = again
  }
}

/** A service that people give consent at (docs/architecture.md#extension-points, seam "connection"). Every method may throw `ProviderRefused`. */
export type Provider = {
  /** Where a browser is sent to ask for consent. */
  authorizeUrl(asked: { state: string; scopes: readonly string[] }): Promise<Departure>
  /** Redeems the answer that a browser brought back, having checked that it is the answer to what was asked. */
  exchange(answer: URL, kept: Kept & { state: string }): Promise<Granted>
  /** Asks for a code that somebody enters there. `expiresIn`, and `interval` between two questions after it: seconds. */
  requestCode(scopes: readonly string[]): Promise<{ code: DeviceCode; expiresIn: number; interval: number }>
  /** Whether it was entered and agreed to, by one question. */
  redeemCode(deviceCode: string): Promise<Granted | 'authorization_pending' | 'slow_down' | 'expired_token'>
  /** A new access token; a provider that rotates gives a new refresh token with it, which replaces the old one. */
  refresh(refreshToken: string): Promise<Granted>
  /** Ends what was granted (RFC 7009); false: the provider has no door for it. */
  revoke(credential: Credential): Promise<boolean>
}
