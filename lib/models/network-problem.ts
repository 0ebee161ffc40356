import type { ModelProblem } from './model-problem.ts'

/** Node's and undici's codes, in a person's words. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at its address',
  ECONNRESET: 'it closed the connection',
  ECONNABORTED: 'the connection was given up',
  EPIPE: 'it closed the connection',
  ENOTFOUND: 'its name cannot be found',
  EAI_AGAIN: 'its name cannot be looked up right now',
  EHOSTUNREACH: 'there is no way to its address',
  ENETUNREACH: 'there is no network',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it stopped in the middle of the answer',
  UND_ERR_SOCKET: 'it closed the connection'
}

const CERTIFICATE =
  /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET))/

/** A failure to reach the provider or to stay in touch, found anywhere along the chain of causes. */
export function networkProblem(error: unknown): ModelProblem | undefined {
  const seen = new Set<unknown>()
  let current = error
  while (typeof current === 'object' && current !== null && !seen.has(current)) {
    seen.add(current)
    const { code, name, message, cause, errors } = current as Record<string, unknown>
    if (typeof code === 'string') {
      if (REASONS[code]) return unreachable(REASONS[code], true)
      if (CERTIFICATE.test(code)) return unreachable('its certificate cannot be trusted', false)
    }
    if (name === 'TimeoutError') return unreachable('it did not answer in time', true)
    // "Happy eyeballs": one error for each address that was tried; the first is as good as the others.
    const next = cause ?? (Array.isArray(errors) ? errors[0] : undefined)
    if (
      next === undefined &&
      name === 'TypeError' &&
      (message === 'fetch failed' || message === 'terminated')
    ) {
      return unreachable('the connection broke', true)
    }
    current = next
  }
  return undefined
}

const unreachable = (why: string, retryable: boolean): ModelProblem => ({
  code: 'NETWORK',
  message: `The model’s provider cannot be reached: ${why}.`,
  retryable
})
