import { retryAfterMs } from '@waystation/base/retry-after.ts'
import type { ModelProblem, ModelProblemCode } from '#lib/kernel/ports/model-problem.ts'
import { CUT } from './finish-problem.ts'
import type { KeyPlace } from './key-place.ts'
import { networkProblem } from './network-problem.ts'
import { quoteProvider } from './quote-provider.ts'
import { type ErrorFacts, innermost, readError } from './read-error.ts'

/**
 * Describes an error of a model call for the user and for automatic retries. Accepts everything that
 * `streamText` throws or streams as an error part: API errors, exhausted retries, missing output, network
 * failures, and errors that a provider sends within a stream. Never throws. Callers must check their abort
 * signal first, because an abort is not a model error.
 *
 * @param place the provider and its key, which the messages name
 */
export function describeModelError(
  error: unknown,
  place: KeyPlace = unknownPlace,
  now: number = Date.now()
): ModelProblem {
  const cause = innermost(error)
  const facts = readError(cause)
  const wait = retryAfterMs(facts.headers, now) ?? facts.retryDelayMs
  const problem =
    byName(facts, place) ??
    byCode(facts, place) ??
    byStatus(facts, cause, wait, place) ??
    networkProblem(cause, place.provider)
  if (!problem) {
    const message =
      'The model call failed for an unknown reason. Try again, and contact the server operator if it keeps failing.'
    return { code: 'UNKNOWN', message, retryable: facts.retryable === true }
  }
  return problem.retryable && wait !== undefined ? { ...problem, retryAfterMs: wait } : problem
}

/** For errors without a known provider, such as those of a plugin's model. */
const unknownPlace: KeyPlace = { provider: 'The model provider', key: 'Check it.' }

/**
 * Classifies our own errors and those of the SDK. Compares names instead of classes, so that a second copy of a
 * module is recognized too.
 */
function byName({ name, message, reason, code }: ErrorFacts, place: KeyPlace): ModelProblem | undefined {
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
        `${place.provider} has no API key. An owner can add one under Settings → Models.`
      )
    // The egress rules block an address that an owner entered.
    case 'OutboundError':
      return outboundProblem(code, place)
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
      return unreadable(place)
    case 'AI_JSONParseError':
    case 'AI_TypeValidationError':
      return unreadable(place)
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

/** Describes an error of our own egress package, without the address. Only a failed connection can succeed later. */
function outboundProblem(code: string | undefined, { provider }: KeyPlace): ModelProblem {
  if (code === 'NETWORK' || code === 'TIMEOUT')
    return { code: 'NETWORK', message: `${provider} cannot be reached.`, retryable: true }
  const why =
    code === 'TOO_MANY_REDIRECTS'
      ? 'redirects to another address. Enter that address under Settings → Models.'
      : 'has an address that is blocked. The server operator can add it to WAYSTATION_EGRESS_ALLOW.'
  return problem('NOT_CONFIGURED', `${provider} ${why}`)
}

const TOO_LONG =
  /context.?(length|window|limit)|maximum context|too many tokens|(prompt|input) is too long|input token count/i

/** Some providers answer 400 or 403 to a wrong key. */
const WRONG_KEY = /(incorrect|invalid) api.?(key|token)|api key (not|is) valid/i

/** Some providers answer 400, 403 or 429 if an account has no credit. */
const NO_CREDIT =
  /credit balance is too low|insufficient (balance|credit|funds)|exceeded your current quota|invalid_payment_instrument/i

/** The quota of a day or a month is used, or there is none. The requested wait, if any, is too short. */
const USED_UP = /per ?day|(per |\/ )month|\blimit: 0\b/i

/** Anthropic answers 400 if an account has reached its own limit. */
const SPEND_LIMIT = /reached your specified api usage limits/i

/** Some providers report a blocked request or answer only as text. */
const BLOCKED = /blocked by content filtering|flagged as potentially violating|blocked input or output/i

/** Classifies by the provider's error codes, which are more specific than the status. */
function byCode(
  { words, message, status, retryDelayMs }: ErrorFacts,
  place: KeyPlace
): ModelProblem | undefined {
  const hasCode = (...candidates: string[]) => candidates.some(code => words.includes(code))
  if ((status === 429 && USED_UP.test([message, ...words].join(' '))) || SPEND_LIMIT.test(message))
    return problem(
      'RATE_LIMITED',
      `The quota of ${inSentence(place)} for this account is used up. Raise it, or wait until it is renewed.`
    )
  if (
    hasCode('insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active', 'billing_error') ||
    // Google also reports limits per minute like this, but then asks for a wait.
    (NO_CREDIT.test(message) && retryDelayMs === undefined)
  )
    return problem(
      'RATE_LIMITED',
      `${place.provider} reports an account without credit. Add credit, then try again.`
    )
  const mayBeTooLong = status === undefined || status === 400 || status === 413 || status === 422
  if (hasCode('context_length_exceeded', 'request_too_large') || (mayBeTooLong && TOO_LONG.test(message))) {
    return problem('CONTEXT_TOO_LONG', 'The conversation is longer than the context window of this model.')
  }
  const maybeWrongKey = status === 400 || status === 403
  if (hasCode('api_key_invalid', ...awsKeyCodes) || (maybeWrongKey && WRONG_KEY.test(message)))
    return badKey(place)
  if (
    hasCode('content_filter', 'content_policy_violation', 'responsibleaipolicyviolation') ||
    (status !== undefined && status >= 400 && status < 500 && BLOCKED.test(message))
  ) {
    return problem(
      'REFUSED',
      `The content filter of ${inSentence(place)} blocked this request. Rephrase your message and try again.`
    )
  }
  if (status !== undefined) return undefined
  if (hasCode('rate_limit_exceeded', 'rate_limit_error', 'too_many_requests', 'throttlingexception'))
    return limited(undefined, place)
  if (hasCode(...downCodes)) return down(place)
  if (hasCode('invalid_api_key', 'authentication_error')) return badKey(place)
  if (hasCode('invalid_request_error', 'validationexception'))
    return problem('BAD_REQUEST', `${place.provider} rejected the request${quoteProvider(message)}`)
  return undefined
}

const awsKeyCodes = ['unrecognizedclientexception', 'expiredtokenexception', 'invalidsignatureexception']

const downCodes = [
  'server_error',
  'overloaded_error',
  'api_error',
  'internal_error',
  'service_unavailable',
  'unavailable',
  'internalserverexception',
  'modelstreamerrorexception',
  'modeltimeoutexception',
  'serviceunavailableexception'
]

function byStatus(
  { status, message }: ErrorFacts,
  error: unknown,
  wait: number | undefined,
  place: KeyPlace
): ModelProblem | undefined {
  const { provider, key } = place
  if (status === undefined) return undefined
  // The response had already started, so a network error after a good status means that the stream broke.
  if (status < 400) return networkProblem(error, provider) ? CUT : unreadable(place)
  if (status === 401) return badKey(place)
  if (status === 402)
    return problem('RATE_LIMITED', `${provider} requires payment. Check the account there, then try again.`)
  if (status === 403) {
    return problem(
      'BAD_KEY',
      `${provider} denied access (403). The API key may not allow this model or region. ${key}`
    )
  }
  if (status === 404) {
    return problem(
      'BAD_REQUEST',
      `${provider} does not know this model or URL (404)${quoteProvider(message)}`
    )
  }
  if (status === 413)
    return problem('CONTEXT_TOO_LONG', `The request is too large for ${inSentence(place)} (413).`)
  if (status === 429) return limited(wait, place)
  if (status === 408 || status === 409 || status === 424 || status === 425 || status >= 500)
    return { ...down(place), message: `${provider} is having problems (${status}).` }
  return problem('BAD_REQUEST', `${provider} rejected the request (${status})${quoteProvider(message)}`)
}

const problem = (code: ModelProblemCode, message: string): ModelProblem => ({
  code,
  message,
  retryable: false
})

/** Returns a provider's name within a sentence. */
const inSentence = ({ provider }: KeyPlace): string => provider.replace(/^The /, 'the ')

const badKey = ({ provider, key }: KeyPlace): ModelProblem =>
  problem('BAD_KEY', `${provider} rejected the API key. ${key}`)

const down = ({ provider }: KeyPlace): ModelProblem => ({
  code: 'PROVIDER_DOWN',
  message: `${provider} is having problems.`,
  retryable: true
})

const unreadable = (place: KeyPlace): ModelProblem => ({
  ...down(place),
  message: `${place.provider} sent a response that cannot be read.`
})

function limited(wait: number | undefined, place: KeyPlace): ModelProblem {
  const waitText = wait === undefined ? '' : ` It asks to wait ${seconds(wait)}.`
  return {
    code: 'RATE_LIMITED',
    message: `The rate limit of ${inSentence(place)} was reached.${waitText}`,
    retryable: true
  }
}

const seconds = (ms: number): string => {
  const rounded = Math.max(1, Math.ceil(ms / 1000))
  return rounded === 1 ? '1 second' : `${rounded} seconds`
}
