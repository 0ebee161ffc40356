import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Signs the fields of a capability link with the workspace's secret: HMAC-SHA-256 in base64url, 43 characters.
 * `purpose` makes sure that a link of one kind is not valid as another kind.
 */
export const signCapability = (
  secret: string,
  purpose: 'answer' | 'call' | 'callback' | 'file' | 'page',
  fields: readonly (string | number)[]
): string =>
  createHmac('sha256', secret)
    .update([purpose, ...fields].join('\n'))
    .digest('base64url')

/** Compares two signatures in constant time. */
export function isSame(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
