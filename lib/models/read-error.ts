/** The relevant fields of any error: of the SDK's error classes and of raw objects in a stream. */
export type ErrorFacts = {
  name: string
  message: string
  status?: number
  headers?: Record<string, string>
  /** The provider's error codes and types, in lower case. */
  words: string[]
  /** The wait that Google asks for, in milliseconds. */
  retryDelayMs?: number | undefined
  retryable?: boolean
  /** The code of an `OutboundError`. */
  code?: string
  /** The `PluginErrorReason` of a gRPC plugin. */
  reason?: string
}

/** Returns the relevant error inside the SDK's wrappers: the last attempt, or the cause of an empty answer. */
export function innermost(error: unknown): unknown {
  let current = error
  for (let depth = 0; depth < 5; depth++) {
    const { name, lastError, cause } = asRecord(current)
    if (name === 'AI_RetryError' && lastError) current = lastError
    else if (name === 'AI_NoOutputGeneratedError' && cause) current = cause
    else break
  }
  return current
}

/** Reads the fields of an error. Makes no assumption about its type. */
export function readError(error: unknown): ErrorFacts {
  const fields = asRecord(error)
  const data = asRecord(fields.data)
  const inner = asRecord(data.error)
  const details = [inner.details, data.details].flat().map(asRecord)
  const codes = [
    ...[fields.code, fields.type, data.type, data.code, inner.code, inner.type, inner.status],
    ...details.flatMap(detail => [detail.reason, ...quotasOf(detail)]),
    ...awsTypeOf(fields.responseHeaders)
  ]
  return {
    name: asText(fields.name),
    message:
      typeof error === 'string'
        ? error
        : plainMessage(fields) || asText(fields.message) || asText(inner.message),
    status: typeof fields.statusCode === 'number' ? fields.statusCode : undefined,
    headers: fields.responseHeaders as Record<string, string> | undefined,
    words: codes.filter(code => typeof code === 'string').map(code => code.toLowerCase()),
    retryDelayMs: details.map(({ retryDelay }) => durationMs(retryDelay)).find(ms => ms !== undefined),
    ...(typeof fields.code === 'string' ? { code: fields.code } : {}),
    reason: typeof fields.reason === 'string' ? fields.reason : undefined,
    retryable: typeof fields.isRetryable === 'boolean' ? fields.isRetryable : undefined
  }
}

/** Returns the quotas that a detail of Google names, such as `GenerateRequestsPerDay…`. */
const quotasOf = ({ violations }: Record<string, unknown>): unknown[] =>
  Array.isArray(violations) ? violations.map(violation => asRecord(violation).quotaId) : []

/** Reads a duration of Google, such as `25.5s`. */
function durationMs(value: unknown): number | undefined {
  const seconds = /^(\d{1,9}(\.\d+)?)s$/.exec(asText(value))?.[1]
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000)
}

/** Returns the type of an AWS error, which only a header contains: `ThrottlingException:http://…`. */
const awsTypeOf = (headers: unknown): string[] =>
  asText(asRecord(headers)['x-amzn-errortype'])
    .split(':', 1)
    .filter(type => type !== '')

/** Returns the message of a response that its package could not read, such as that of AWS for a wrong API key. */
function plainMessage({ data, responseBody }: Record<string, unknown>): string {
  if (data !== undefined || typeof responseBody !== 'string' || responseBody.length > 2000) return ''
  try {
    const { Message, message, detail } = asRecord(JSON.parse(responseBody))
    return asText(Message) || asText(message) || asText(detail)
  } catch {
    return ''
  }
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
