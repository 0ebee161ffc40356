/** The relevant fields of any error: of the SDK's error classes and of raw objects in a stream. */
export type ErrorFacts = {
  name: string
  message: string
  status?: number
  headers?: Record<string, string>
  /** The provider's error codes and types, in lower case. */
  words: string[]
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
  const codes = [fields.code, fields.type, data.type, data.code, inner.code, inner.type, inner.status]
  return {
    name: asText(fields.name),
    message: typeof error === 'string' ? error : asText(fields.message) || asText(inner.message),
    status: typeof fields.statusCode === 'number' ? fields.statusCode : undefined,
    headers: fields.responseHeaders as Record<string, string> | undefined,
    words: codes.filter(code => typeof code === 'string').map(code => code.toLowerCase()),
    ...(typeof fields.code === 'string' ? { code: fields.code } : {}),
    reason: typeof fields.reason === 'string' ? fields.reason : undefined,
    retryable: typeof fields.isRetryable === 'boolean' ? fields.isRetryable : undefined
  }
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
