import { runtime } from '#lib/kernel/runtime.ts'
import { toLocalPath } from './to-local-path.ts'

/**
 * Returns the path to open after sign-in. It comes from the page's URL, or after a failed sign-in from next-auth's
 * cookie.
 */
export function pathAfterSignIn(fromUrl: unknown, cookieOf: (name: string) => string | undefined): string {
  const { origin } = runtime().ports
  const prefix = origin.startsWith('https:') ? '__Secure-' : ''
  const fromCookie = cookieOf(`${prefix}authjs.callback-url`)
  return toLocalPath(fromUrl ?? fromCookie, origin)
}
