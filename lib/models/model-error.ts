import { retryAfterMs } from '@waystation/base/retry-after.ts'
import type { ModelProblem, ModelProblemCode } from '#lib/kernel/ports/model-problem.ts'
import { CUT } from './finish-problem.ts'
import { networkProblem } from './network-problem.ts'
import { quoteProvider } from './quote-provider.ts'
import { type ErrorFacts, innermost, readError } from './read-error.ts'

/**
 * Describes an error of a model call for the user and for automatic retries. Accepts everything that
 * `streamText` throws or streams as an error part: API errors, exhausted retries, missing output, network
 * failures, and errors that a provider sends within a stream. Never throws. Callers must check their abort
 * signal first, because an abort is not a model error.
 */
export function describeModelError(error: unknown, now: number = Date.now()): ModelProblem {
  const cause = innermost(error)
  const facts = readError(cause)
  const wait = retryAfterMs(facts.headers, now)
  const problem = byName(facts) ?? byCode(facts) ?? byStatus(facts, cause, wait) ?? networkProblem(cause)
  if (!problem) {
    const message =
      'The model call failed for an unknown reason. Try again, and contact the server operator if it keeps failing.'
    return { code: 'UNKNOWN', message, retryable: facts.retryable === true }
  }
  return problem.retryable && wait !== undefined ? { ...problem, retryAfterMs: wait } : problem
}

/**
 * Classifies our own errors and those of the SDK. Compares names instead of classes, so that a second copy of a
 * module is recognized too.
 */
function byName({ name, message, reason }: ErrorFacts): ModelProblem | undefined {
  switch (name) {
    // Our errors: their messages can be shown.
    case 'ApiError':
    case 'EmbedError':
    case 'HandlerError':
      return problem('UNKNOWN', message)
    case 'ModelNotConfigured':
      return problem('NOT_CONFIGURED', message)
    // Errors of a plugin's model: their messages can be shown.
    case 'PluginError':
      return pluginProblem(reason, message)
    case 'AI_LoadAPIKeyError':
      return problem(
        'NOT_CONFIGURED',
        'The model provider has no API key. Set OPENAI_API_KEY and restart the server.'
      )
    case 'AI_NoSuchModelError':
      return problem(
        'NOT_CONFIGURED',
        'The provider does not have the model of this agent. Choose another model.'
      )
    case 'AI_NoOutputGeneratedError':
    case 'AI_EmptyResponseBodyError':
      return { ...CUT, message: 'The model returned no answer.' }
    case 'AI_InvalidResponseDataError':
      if (message.includes('without a finish reason')) return CUT
      return UNREADABLE
    case 'AI_JSONParseError':
    case 'AI_TypeValidationError':
      return UNREADABLE
    case 'AI_InvalidPromptError':
    case 'AI_MissingToolResultsError':
    case 'AI_UnsupportedFunctionalityError':
      return problem('BAD_REQUEST', 'The conversation has content that this model does not support.')
    default:
      return undefined
  }
}

/** A plugin that is down, late or cut off may answer a retry. A request that it rejected is rejected again. */
function pluginProblem(reason: string | undefined, message: string): ModelProblem {
  switch (reason) {
    case 'unauthorized':
      return problem('BAD_KEY', message)
    case 'refused':
    case 'missing':
    case 'blocked':
    case 'too-large':
      return problem('BAD_REQUEST', message)
    case 'busy':
      return { code: 'RATE_LIMITED', message, retryable: true }
    default:
      return { code: 'PROVIDER_DOWN', message, retryable: true }
  }
}

const TOO_LONG =
  /context.?(length|window)|maximum context|too many tokens|prompt is too long|input is too long/i

/** Classifies by the provider's error codes, which are more specific than the status. */
function byCode({ words, message, status }: ErrorFacts): ModelProblem | undefined {
  const hasCode = (...candidates: string[]) => candidates.some(code => words.includes(code))
  if (hasCode('insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active')) {
    return problem(
      'RATE_LIMITED',
      'The account at the model provider has no credit left. Add credit, then try again.'
    )
  }
  const mayBeTooLong = status === undefined || status === 400 || status === 413 || status === 422
  if (hasCode('context_length_exceeded', 'request_too_large') || (mayBeTooLong && TOO_LONG.test(message))) {
    return problem('CONTEXT_TOO_LONG', 'The conversation is longer than the context window of this model.')
  }
  if (hasCode('content_filter', 'content_policy_violation', 'responsibleaipolicyviolation')) {
    return problem(
      'REFUSED',
      "The model provider's content filter blocked this request. Rephrase your message and try again."
    )
  }
  if (status !== undefined) return undefined
  if (hasCode('rate_limit_exceeded', 'rate_limit_error', 'too_many_requests')) return limited(undefined)
  if (hasCode('server_error', 'overloaded_error', 'api_error', 'internal_error', 'service_unavailable'))
    return DOWN
  if (hasCode('invalid_api_key', 'authentication_error')) return BAD_KEY
  if (hasCode('invalid_request_error'))
    return problem('BAD_REQUEST', `The model provider rejected the request${quoteProvider(message)}`)
  return undefined
}

function byStatus(
  { status, message }: ErrorFacts,
  error: unknown,
  wait: number | undefined
): ModelProblem | undefined {
  if (status === undefined) return undefined
  // The response had already started, so a network error after a good status means that the stream broke.
  if (status < 400) return networkProblem(error) ? CUT : UNREADABLE
  if (status === 401) return BAD_KEY
  if (status === 402)
    return problem(
      'RATE_LIMITED',
      'The model provider requires payment. Check the account at the provider, then try again.'
    )
  if (status === 403) {
    return problem(
      'BAD_KEY',
      'The model provider denied access (403). Check that the API key can use this model from this region.'
    )
  }
  if (status === 404) {
    return problem(
      'BAD_REQUEST',
      `The model provider does not know this model or URL (404)${quoteProvider(message)}`
    )
  }
  if (status === 413)
    return problem('CONTEXT_TOO_LONG', 'The request is too large for the model provider (413).')
  if (status === 429) return limited(wait)
  if (status === 408 || status === 409 || status === 425 || status >= 500) {
    return { ...DOWN, message: `The model provider is having problems (${status}).` }
  }
  return problem(
    'BAD_REQUEST',
    `The model provider rejected the request (${status})${quoteProvider(message)}`
  )
}

const problem = (code: ModelProblemCode, message: string): ModelProblem => ({
  code,
  message,
  retryable: false
})

const BAD_KEY = problem(
  'BAD_KEY',
  'The model provider rejected the API key. Check OPENAI_API_KEY and restart the server.'
)

const DOWN: ModelProblem = {
  code: 'PROVIDER_DOWN',
  message: 'The model provider is having problems.',
  retryable: true
}

const UNREADABLE: ModelProblem = {
  ...DOWN,
  message: 'The model provider sent a response that cannot be read.'
}

function limited(wait: number | undefined): ModelProblem {
  const waitText = wait === undefined ? '' : ` The provider asks to wait ${seconds(wait)}.`
  return {
    code: 'RATE_LIMITED',
    message: `The model provider's rate limit was reached.${waitText}`,
    retryable: true
  }
}

const seconds = (ms: number): string => {
  const rounded = Math.max(1, Math.ceil(ms / 1000))
  return rounded === 1 ? '1 second' : `${rounded} seconds`
}
