import { streamText } from 'ai'
import { expect, test } from 'vitest'
import type { ModelProblem } from '#lib/kernel/ports/model-problem.ts'
import { serverProviders } from '#lib/models/configured.ts'
import { keyPlaceOf } from '#lib/models/key-place.ts'
import { describeModelError } from '#lib/models/model-error.ts'
import { modelsOf } from '#lib/models/workspace-models.ts'
import { fetchFrom, protocolOf } from './protocols.ts'
import { type ErrorResponse, replay } from './replay-server.ts'

/** Sends a request that its provider answers with an error, and returns our description of it. */
async function problemOf(protocol: string, response: ErrorResponse): Promise<ModelProblem> {
  const { model, host = '', settings } = protocolOf(protocol)
  const server = await replay([response])
  const models = modelsOf({
    providers: serverProviders(settings(server.url), fetchFrom({ [host]: server.url }))
  })
  let failure: unknown
  const result = streamText({
    model: models.model(model),
    prompt: 'Hi',
    maxRetries: 0,
    onError: ({ error }) => {
      failure ??= error
    }
  })
  await result.consumeStream()
  return describeModelError(failure, keyPlaceOf(models, model))
}

type Row = [
  what: string,
  status: number,
  body: unknown,
  code: ModelProblem['code'],
  more?: { retryable?: true; wait?: number; headers?: Record<string, string> }
]

const openai = (message: string, type: string, code: string | null) => ({
  error: { message, type, param: null, code }
})
const anthropic = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy'
})
const google = (code: number, status: string, message: string, details: object[] = []) => ({
  error: { code, message, status, details }
})
const errorInfo = (reason: string) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'googleapis.com'
})
const quotaMessage =
  'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.'
const quota = (quotaId: string, retryDelay: string) => [
  {
    '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
    violations: [
      {
        quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests',
        quotaId,
        quotaDimensions: { location: 'global', model: 'gemini-3.8-flash' }
      }
    ]
  },
  { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }
]
const aws = (type: string) => ({
  headers: { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/` }
})
const mistral = (message: string, type: string, code: string) => ({
  object: 'error',
  message,
  type,
  param: null,
  code,
  raw_status_code: 400
})

/**
 * Errors as the providers send them, by their references and by reports of their users. Without `retryable`, a retry
 * cannot succeed.
 */
const errors: Record<string, Row[]> = {
  'openai-responses': [
    [
      'a wrong key',
      401,
      openai('Incorrect API key provided: none.', 'invalid_request_error', 'invalid_api_key'),
      'BAD_KEY'
    ],
    [
      'no access to a model',
      403,
      openai(
        'Project `proj_1` does not have access to model `gpt-6`',
        'invalid_request_error',
        'model_not_found'
      ),
      'BAD_KEY'
    ],
    ['no credit', 429, openai(quotaMessage, 'insufficient_quota', 'insufficient_quota'), 'RATE_LIMITED'],
    [
      'a rate limit',
      429,
      openai('Rate limit reached for gpt-6 in organization org-1.', 'tokens', 'rate_limit_exceeded'),
      'RATE_LIMITED',
      { retryable: true, wait: 1500, headers: { 'retry-after-ms': '1500', 'retry-after': '2' } }
    ],
    [
      'a prompt that is too long',
      400,
      openai(
        'Your input exceeds the context window of this model. Please adjust your input and try again.',
        'invalid_request_error',
        'context_length_exceeded'
      ),
      'CONTEXT_TOO_LONG'
    ],
    [
      'a refused prompt',
      400,
      openai(
        'Invalid prompt: your prompt was flagged as potentially violating our usage policy.',
        'invalid_request_error',
        'invalid_prompt'
      ),
      'REFUSED'
    ],
    [
      'overload',
      503,
      openai('The engine is currently overloaded, please try again later.', 'server_error', null),
      'PROVIDER_DOWN',
      { retryable: true }
    ],
    [
      'an unknown model',
      404,
      openai(
        'The model `gpt-0` does not exist or you do not have access to it.',
        'invalid_request_error',
        'model_not_found'
      ),
      'BAD_REQUEST'
    ]
  ],
  'openai-chat': [
    ['a wrong key', 401, { error: { message: 'Unauthorized' } }, 'BAD_KEY'],
    [
      'a prompt that is too long',
      400,
      openai(
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
        'BadRequestError',
        null
      ),
      'CONTEXT_TOO_LONG'
    ],
    ['overload', 503, 'upstream connect error', 'PROVIDER_DOWN', { retryable: true }]
  ],
  anthropic: [
    ['a wrong key', 401, anthropic('authentication_error', 'invalid x-api-key'), 'BAD_KEY'],
    [
      'no access',
      403,
      anthropic('permission_error', 'Your API key does not have permission to use the specified resource.'),
      'BAD_KEY'
    ],
    [
      'no credit',
      400,
      anthropic(
        'invalid_request_error',
        'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.'
      ),
      'RATE_LIMITED'
    ],
    ['a billing problem', 402, anthropic('billing_error', 'Payment required.'), 'RATE_LIMITED'],
    [
      'a used spend limit',
      400,
      anthropic(
        'invalid_request_error',
        'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.'
      ),
      'RATE_LIMITED'
    ],
    [
      'a rate limit',
      429,
      anthropic('rate_limit_error', 'This request would exceed your rate limit of 50,000 input tokens.'),
      'RATE_LIMITED',
      { retryable: true, wait: 17_000, headers: { 'retry-after': '17' } }
    ],
    [
      'a prompt that is too long',
      400,
      anthropic('invalid_request_error', 'prompt is too long: 213462 tokens > 200000 maximum'),
      'CONTEXT_TOO_LONG'
    ],
    [
      'a prompt that leaves no room for an answer',
      400,
      anthropic(
        'invalid_request_error',
        'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again'
      ),
      'CONTEXT_TOO_LONG'
    ],
    [
      'a request that is too large',
      413,
      anthropic('request_too_large', 'Request exceeds the maximum size'),
      'CONTEXT_TOO_LONG'
    ],
    [
      'a refusal',
      400,
      anthropic('invalid_request_error', 'Output blocked by content filtering policy'),
      'REFUSED'
    ],
    ['overload', 529, anthropic('overloaded_error', 'Overloaded'), 'PROVIDER_DOWN', { retryable: true }],
    ['an unknown model', 404, anthropic('not_found_error', 'model: claude-0'), 'BAD_REQUEST']
  ],
  google: [
    [
      'a wrong key',
      400,
      google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
        errorInfo('API_KEY_INVALID')
      ]),
      'BAD_KEY'
    ],
    [
      'a deleted key',
      400,
      google(400, 'INVALID_ARGUMENT', 'API Key not found. Please pass a valid API key.', [
        errorInfo('API_KEY_INVALID')
      ]),
      'BAD_KEY'
    ],
    [
      'no access',
      403,
      google(403, 'PERMISSION_DENIED', 'Generative Language API has not been used in project 1 before.', [
        errorInfo('SERVICE_DISABLED')
      ]),
      'BAD_KEY'
    ],
    [
      'a limit per minute',
      429,
      google(
        429,
        'RESOURCE_EXHAUSTED',
        `${quotaMessage}\n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 10\nPlease retry in 25.465784708s.`,
        quota('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', '25.465784708s')
      ),
      'RATE_LIMITED',
      { retryable: true, wait: 25_466 }
    ],
    [
      'a used limit per day',
      429,
      google(
        429,
        'RESOURCE_EXHAUSTED',
        quotaMessage,
        quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier', '34s')
      ),
      'RATE_LIMITED'
    ],
    [
      'a model that the free tier does not have',
      429,
      google(
        429,
        'RESOURCE_EXHAUSTED',
        `${quotaMessage}\n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 0, model: gemini-3.8-flash\nPlease retry in 45s.`,
        quota('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', '45s')
      ),
      'RATE_LIMITED'
    ],
    ['no credit', 429, google(429, 'RESOURCE_EXHAUSTED', quotaMessage), 'RATE_LIMITED'],
    [
      'a limit without a wait',
      429,
      google(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'),
      'RATE_LIMITED',
      { retryable: true }
    ],
    [
      'a prompt that is too long',
      400,
      google(
        400,
        'INVALID_ARGUMENT',
        'The input token count (3475108) exceeds the maximum number of tokens allowed (1048576).'
      ),
      'CONTEXT_TOO_LONG'
    ],
    [
      'overload',
      503,
      google(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
      'PROVIDER_DOWN',
      { retryable: true }
    ],
    [
      'an unknown model',
      404,
      google(
        404,
        'NOT_FOUND',
        'models/gemini-0 is not found for API version v1beta, or is not supported for generateContent.'
      ),
      'BAD_REQUEST'
    ]
  ],
  bedrock: [
    [
      'a wrong API key',
      403,
      { Message: 'Authentication failed: Please make sure your API Key is valid.' },
      'BAD_KEY'
    ],
    [
      'wrong credentials',
      403,
      { message: 'The security token included in the request is invalid.' },
      'BAD_KEY',
      aws('UnrecognizedClientException')
    ],
    [
      'no access',
      403,
      { message: "You don't have access to the model with the specified model ID." },
      'BAD_KEY',
      aws('AccessDeniedException')
    ],
    [
      'no means of payment',
      403,
      {
        message:
          'Model access is denied due to INVALID_PAYMENT_INSTRUMENT: A valid payment instrument must be provided.'
      },
      'RATE_LIMITED',
      aws('AccessDeniedException')
    ],
    [
      'a rate limit',
      429,
      { message: 'Too many tokens, please wait before trying again.' },
      'RATE_LIMITED',
      { retryable: true, ...aws('ThrottlingException') }
    ],
    [
      'a used limit per day',
      429,
      { message: 'Too many tokens per day, please wait before trying again.' },
      'RATE_LIMITED',
      aws('ThrottlingException')
    ],
    [
      'a prompt that is too long',
      400,
      { message: 'Input is too long for requested model.' },
      'CONTEXT_TOO_LONG',
      aws('ValidationException')
    ],
    [
      'a prompt that is too long for Claude',
      400,
      {
        message: 'The model returned the following errors: prompt is too long: 213462 tokens > 200000 maximum'
      },
      'CONTEXT_TOO_LONG',
      aws('ValidationException')
    ],
    [
      'an error of the model',
      424,
      { message: 'The request failed due to an error while processing the model.' },
      'PROVIDER_DOWN',
      { retryable: true, ...aws('ModelErrorException') }
    ],
    [
      'overload',
      503,
      { message: 'Bedrock is unable to process your request.' },
      'PROVIDER_DOWN',
      { retryable: true, ...aws('ServiceUnavailableException') }
    ],
    [
      'an unknown model',
      400,
      { message: 'The provided model identifier is invalid.' },
      'BAD_REQUEST',
      aws('ValidationException')
    ]
  ],
  mistral: [
    [
      'a wrong key',
      401,
      { message: 'Unauthorized', request_id: '933f233947ff6d346065bb297e4a4d56' },
      'BAD_KEY'
    ],
    ['no access', 403, { detail: 'Forbidden' }, 'BAD_KEY'],
    [
      'a rate limit',
      429,
      mistral('Rate limit exceeded', 'rate_limited', '1300'),
      'RATE_LIMITED',
      { retryable: true }
    ],
    [
      'overload',
      429,
      mistral('Service tier capacity exceeded for this model.', 'service_tier_capacity_exceeded', '3505'),
      'RATE_LIMITED',
      { retryable: true }
    ],
    [
      'a prompt that is too long',
      400,
      mistral(
        'Prompt contains 140002 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
        'invalid_request_prompt',
        '3051'
      ),
      'CONTEXT_TOO_LONG'
    ],
    ['an unknown model', 400, mistral('Invalid model: mistral-0', 'invalid_model', '1500'), 'BAD_REQUEST']
  ],
  cohere: [
    ['a wrong key', 401, { message: 'invalid api token' }, 'BAD_KEY'],
    [
      'no credit',
      402,
      { message: 'Please add or update your payment method at https://dashboard.cohere.com/billing' },
      'RATE_LIMITED'
    ],
    [
      'a rate limit',
      429,
      { message: 'You are using a Trial key, which is limited to 20 API calls / minute.' },
      'RATE_LIMITED',
      { retryable: true }
    ],
    [
      'a used limit per month',
      429,
      { message: 'You are using a Trial key, which is limited to 1000 API calls / month.' },
      'RATE_LIMITED'
    ],
    ['a refused prompt', 498, { message: 'blocked input or output: please adjust your prompt' }, 'REFUSED'],
    [
      'a prompt that is too long',
      400,
      {
        message: 'too many tokens: size limit exceeded by 11326 tokens. Try using shorter or fewer inputs.'
      },
      'CONTEXT_TOO_LONG'
    ],
    ['overload', 503, { message: 'service unavailable' }, 'PROVIDER_DOWN', { retryable: true }],
    [
      'an unknown model',
      404,
      { message: "model 'command-0' not found, make sure the correct model ID was used." },
      'BAD_REQUEST'
    ]
  ]
}

const rows = Object.entries(errors).flatMap(([protocol, of]) =>
  of.map((row): [string, ...Row] => [protocol, ...row])
)

test.each(rows)(
  '%s: %s is described, and retried only if this can help',
  async (protocol, _what, status, body, code, { retryable = false, wait, headers = {} } = {}) => {
    const { message, ...problem } = await problemOf(protocol, { status, body, headers })
    expect(problem).toEqual({ code, retryable, ...(wait === undefined ? {} : { retryAfterMs: wait }) })
    expect(message).toMatch(/^[A-Z0-9].*[.”]$/s)
    // Our own words are short. The rest is a quote.
    expect(message.replace(/“.*”/s, '').split(/\s+/).length).toBeLessThan(25)
  }
)
