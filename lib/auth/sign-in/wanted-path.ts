import { runtime } from '#lib/kernel/runtime.ts'
import { pathOfOurs } from './path-of-ours.ts'

/**
 * Where somebody wants to go once they have signed in: as the page's address says, else where the sign-in that just failed
 * was on its way to, which next-auth keeps in a cookie.
 */
export function wantedPath(asked: unknown, cookieOf: (name: string) => string | undefined): string {
  const { origin } = runtime().ports
  const prefix = origin.startsWith('https:') ? '__Secure-' : ''
  const kept = cookieOf(`${prefix}authjs.callback-url`)
  return pathOfOurs(asked ?? kept, origin)
}
