import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The signature of a capability link: HMAC-SHA-256 under its workspace's secret over what the link is for, in base64url
 * (43 characters). `purpose` keeps the links of one kind from opening another.
 */
export const signCapability = (
  secret: string,
  purpose: 'answer' | 'callback' | 'page',
  fields: readonly (string | number)[]
): string =>
  createHmac('sha256', secret)
    .update([purpose, ...fields].join('\n'))
    .digest('base64url')

/** Compares in constant time. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
