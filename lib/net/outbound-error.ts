import { KnownError } from '#lib/kernel/known-error.ts'

/**
 * Why an outbound request brought no answer.
 *
 * - `BAD_URL`: not an http(s) URL we will call; trying again is no use.
 * - `BLOCKED_TARGET`: a private, loopback, link-local or reserved target nobody allowed, or a redirect that would
 *   have carried credentials over plain http.
 * - `TOO_LARGE`: the answer is over the caller's limit. `TIMEOUT`: it was not all there in time.
 * - `TOO_MANY_REDIRECTS`: a loop, or a longer chain than the caller follows.
 * - `NETWORK`: no such host, refused, cut off, a bad certificate, not HTTP.
 * - `UNREADABLE`: it came, but it is packed or typed in a way we cannot read.
 */
export type OutboundErrorCode =
  | 'BAD_URL'
  | 'BLOCKED_TARGET'
  | 'TOO_LARGE'
  | 'TIMEOUT'
  | 'TOO_MANY_REDIRECTS'
  | 'NETWORK'
  | 'UNREADABLE'

/**
 * The one error of `safeFetch`. Its message never names an address that a name resolved to; `cause` may.
 */
export class OutboundError extends KnownError {
  static override readonly kind: string = 'OutboundError'
  readonly code: OutboundErrorCode

  constructor(code: OutboundErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
