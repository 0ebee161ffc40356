import type { OutboundResponse } from '@waystation/egress'

/** Shorter values are not masked, because they occur in any text. */
const minLength = 8

/**
 * Masks these secrets in the headers and the body of a response, in case the service repeats them
 * (docs/concepts/engine.md#secrets).
 */
export function maskSecrets(answer: OutboundResponse, secrets: readonly string[]): OutboundResponse {
  const maskable = secrets.filter(({ length }) => length >= minLength)
  const maskText = (text: string) =>
    maskable.reduce((result, secret) => result.replaceAll(secret, mask), text)
  const headers = [...answer.headers].some(([, value]) => value !== maskText(value))
    ? new Headers([...answer.headers].map(([name, value]) => [name, bytesOf(maskText(value))]))
    : answer.headers
  const body = Buffer.from(answer.body.buffer, answer.body.byteOffset, answer.body.byteLength)
  if (!maskable.some(secret => body.includes(secret))) return { ...answer, headers }
  return { ...answer, headers, body: maskBytes(body, maskable), text: () => maskText(answer.text()) }
}

/** Treats each byte as one character (latin1), so that any content and any secret can be replaced. */
const maskBytes = (body: Buffer, secrets: readonly string[]): Buffer =>
  Buffer.from(
    secrets.reduce(
      (result, secret) => result.replaceAll(bytesOf(secret), bytesOf(mask)),
      body.toString('latin1')
    ),
    'latin1'
  )

const mask = '••••'
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')

/**
 * Masks secrets in a streamed response. It passes on complete lines only, so that no secret is split between
 * two chunks.
 */
export function maskLines(onChunk: (chunk: Uint8Array) => void, secrets: readonly string[]) {
  const maskable = secrets.filter(({ length }) => length >= minLength)
  let pending: Uint8Array[] = []
  return (chunk: Uint8Array): void => {
    const end = chunk.lastIndexOf(10) + 1
    if (end > 0) {
      onChunk(maskBytes(Buffer.concat([...pending, chunk.subarray(0, end)]), maskable))
      pending = []
    }
    if (end < chunk.length) pending.push(chunk.subarray(end))
  }
}
