import { z } from 'zod'

const mark = '••••'

/** An address without user, path and query, which may hold a secret. A mark stands for what was cut. */
export function cutAddress(address: string): string {
  const { protocol, host, pathname, search } = new URL(address)
  return `${protocol}//${host}${pathname === '/' && search === '' ? '/' : `/${mark}`}`
}

/** An address of another system in a configuration. A cut one is refused, so that nobody saves what a viewer was given. */
export const WholeAddress = z
  .url({ protocol: /^https?$/ })
  .refine(address => !address.includes(mark), `enter the complete URL in place of ${mark}`)
