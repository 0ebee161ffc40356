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
 * The URL of an external service in a configuration. Masked URLs are rejected, so that a user cannot save what a viewer
 * sees.
 */
export const UnmaskedUrl = z
  .url({ protocol: /^https?$/ })
  .refine(address => !address.includes(mark), `enter the complete URL in place of ${mark}`)
