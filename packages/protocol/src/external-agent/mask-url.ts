import { z } from 'zod'

const mark = '••••'

/**
 * Returns the URL without credentials, path and query, which can contain secrets. A mark shows that something was
 * removed.
 */
export function maskUrl(address: string): string {
  const { protocol, host, pathname, search } = new URL(address)
  return `${protocol}//${host}${pathname === '/' && search === '' ? '/' : `/${mark}`}`
}

/**
 * Returns the URL without credentials and query, for users who can read the complete URL elsewhere. In the path, it
 * shows only words, because another segment can be a secret.
 */
export function maskUrlSecrets(address: string): string {
  const { protocol, host, pathname, search } = new URL(address)
  const isWord = (segment: string) => /^(?:[a-z][a-z._-]{0,23}|v\d{1,2}|)$/i.test(segment)
  const path = pathname.split('/').map(segment => (isWord(segment) ? segment : mark))
  return `${protocol}//${host}${path.join('/')}${search === '' ? '' : `?${mark}`}`
}

/**
 * The URL of an external service in a configuration. Masked URLs are rejected, so that a user cannot save what a viewer
 * sees.
 */
export const UnmaskedUrl = z
  .url({ protocol: /^https?$/ })
  .refine(address => !address.includes(mark), `enter the complete URL in place of ${mark}`)
