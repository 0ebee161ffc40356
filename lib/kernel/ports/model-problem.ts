/** What went wrong with a model, in the words a turn stores and a person reads. */
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
 * `message` is one or two sentences for a person, with no key and no body in it. `retryable`: the same request may
 * go through later. `retryAfterMs`: the provider named the wait.
 */
export type ModelProblem = {
  code: ModelProblemCode
  message: string
  retryable: boolean
  retryAfterMs?: number
}
