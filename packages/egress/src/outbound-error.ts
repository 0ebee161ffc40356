import { KnownError } from '@waystation/base/known-error.ts'

/**
 * The reason why an outgoing request got no usable response.
 * - `BAD_URL`: not an http(s) URL that we can call. Do not retry.
 * - `BLOCKED_TARGET`: a private, loopback, link-local or reserved target that is not allowed, or a redirect that would
 *   send credentials over plain http.
 * - `TOO_LARGE`: the response exceeds the caller's limit.
 * - `TIMEOUT`: the response was not complete in time.
 * - `TOO_MANY_REDIRECTS`: a loop, or more redirects than the caller follows.
 * - `NETWORK`: an unknown host, a refused or broken connection, an invalid certificate, or invalid HTTP.
 * - `UNREADABLE`: the response has an encoding or type that we cannot read.
 */
export type OutboundErrorCode =
  | 'BAD_URL'
  | 'BLOCKED_TARGET'
  | 'TOO_LARGE'
  | 'TIMEOUT'
  | 'TOO_MANY_REDIRECTS'
  | 'NETWORK'
  | 'UNREADABLE'

/** The only error class of `safeFetch`. Its message never contains an address that a name resolved to. `cause` can. */
export class OutboundError extends KnownError {
  static override readonly kind: string = 'OutboundError'
  readonly code: OutboundErrorCode

  constructor(code: OutboundErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
