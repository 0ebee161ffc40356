/** The parts of an error that mean something, whatever its class: the SDK's errors and a stream's raw objects. */
export type ErrorFacts = {
  name: string
  message: string
  status?: number
  headers?: Record<string, string>
  /** The provider's own codes and types, in lower case. */
  words: string[]
  retryable?: boolean
  /** Of a plugin in another language: why it brought no answer (`PluginFault`). */
  fault?: string
}

/** The error that matters inside the SDK's wrappers: the last try, the cause of an empty answer. */
export function innermost(error: unknown): unknown {
  let current = error
  for (let depth = 0; depth < 5; depth++) {
    const { name, lastError, cause } = record(current)
    if (name === 'AI_RetryError' && lastError) current = lastError
    else if (name === 'AI_NoOutputGeneratedError' && cause) current = cause
    else break
  }
  return current
}

/** Reads an error without trusting anything about it. */
export function readError(error: unknown): ErrorFacts {
  const fields = record(error)
  const inner = record(record(fields.data).error)
  const words = [fields.code, fields.type, inner.code, inner.type]
  return {
    name: text(fields.name),
    message: typeof error === 'string' ? error : text(fields.message) || text(inner.message),
    status: typeof fields.statusCode === 'number' ? fields.statusCode : undefined,
    headers: fields.responseHeaders as Record<string, string> | undefined,
    words: words.filter(word => typeof word === 'string').map(word => word.toLowerCase()),
    fault: typeof fields.fault === 'string' ? fields.fault : undefined,
    retryable: typeof fields.isRetryable === 'boolean' ? fields.isRetryable : undefined
  }
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
