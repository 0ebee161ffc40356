/**
 * Every code a request can be refused with (api.md "Refusals"); `lib/http/problem.ts` alone knows their statuses.
 */
export type RefusalCode =
  | 'MALFORMED_JSON'
  | 'INVALID_SESSION_ID'
  | 'SESSION_ID_REQUIRED'
  | 'SESSION_AGENT_MISMATCH'
  | 'AGENT_NOT_FOUND'
  | 'EMPTY_MESSAGE'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'FOREIGN_ORIGIN'
  | 'NOT_FOUND'
  | 'SESSION_BUSY'
  | 'ALREADY_SETTLED'
  | 'NOT_ANSWERABLE'
  | 'CONFLICT'
  | 'EXPIRED'
  | 'TOO_LARGE'
  | 'INVALID_INPUT'
  | 'KEY_REUSED'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE'

/** The body of every refusal: a sentence a person can act on, a code a program can. */
export type RefusalBody = {
  error: string
  code: RefusalCode
  fields?: Record<string, string>
  winner?: { state: string; answeredBy?: string; at: string }
  retryAfter?: number
}
