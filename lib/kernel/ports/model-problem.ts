/** The kind of a model error, as turns store it. */
export type ModelProblemCode =
  | 'RATE_LIMITED'
  | 'PROVIDER_DOWN'
  | 'NETWORK'
  | 'CUT'
  | 'REFUSED'
  | 'BAD_KEY'
  | 'CONTEXT_TOO_LONG'
  | 'BAD_REQUEST'
  | 'NOT_CONFIGURED'
  | 'UNKNOWN'

/**
 * `message` is one or two sentences for users, without keys or response bodies. `retryable`: the same request can
 * succeed later. `retryAfterMs` is the wait that the provider requested.
 */
export type ModelProblem = {
  code: ModelProblemCode
  message: string
  retryable: boolean
  retryAfterMs?: number
}
