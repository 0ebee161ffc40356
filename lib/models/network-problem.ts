import type { ModelProblem } from '#lib/kernel/ports/model-problem.ts'

/** Reasons for the error codes of Node and undici, as the end of a sentence. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it closed the connection',
  ECONNABORTED: 'the connection was aborted',
  EPIPE: 'it closed the connection',
  ENOTFOUND: 'its host name was not found',
  EAI_AGAIN: 'its host name cannot be resolved right now',
  EHOSTUNREACH: 'there is no route to its address',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'it did not respond in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not respond in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not respond in time',
  UND_ERR_BODY_TIMEOUT: 'it stopped in the middle of its response',
  UND_ERR_SOCKET: 'it closed the connection'
}

const CERTIFICATE =
  /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET))/

/** Finds a network error anywhere in the chain of causes. Returns undefined if there is none. */
export function networkProblem(error: unknown, provider = 'The model provider'): ModelProblem | undefined {
  const unreachable = (why: string, retryable: boolean): ModelProblem => ({
    code: 'NETWORK',
    message: `${provider} cannot be reached: ${why}.`,
    retryable
  })
  const seen = new Set<unknown>()
  let current = error
  while (typeof current === 'object' && current !== null && !seen.has(current)) {
    seen.add(current)
    const { code, name, message, cause, errors } = current as Record<string, unknown>
    if (typeof code === 'string') {
      if (REASONS[code]) return unreachable(REASONS[code], true)
      if (CERTIFICATE.test(code)) return unreachable('its certificate is not trusted', false)
    }
    if (name === 'TimeoutError') return unreachable('it did not respond in time', true)
    // "Happy Eyeballs" fails with one error per address; the first is as good as the others.
    const next = cause ?? (Array.isArray(errors) ? errors[0] : undefined)
    if (
      next === undefined &&
      name === 'TypeError' &&
      (message === 'fetch failed' || message === 'terminated')
    ) {
      return unreachable('the connection was lost', true)
    }
    current = next
  }
  return undefined
}
