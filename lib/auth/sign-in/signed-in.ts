import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { actorFrom } from '#lib/auth/actor-from.ts'
import { type Person, personIn } from '#lib/auth/person-in.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor, runtime } from '#lib/kernel/runtime.ts'
import { requestedPathHeader } from './requested-path-header.ts'

/**
 * Returns the context of a page's reader. Visitors who are not signed in are redirected to sign in, and then return to
 * the page.
 */
export async function requireSignIn(): Promise<Ctx> {
  return (await findReader()) ?? redirect(signInPath((await headers()).get(requestedPathHeader) ?? '/'))
}

/** Returns the URL of the sign-in page for a requested page, without the `_rsc` parameter that Next adds. */
function signInPath(requestedPath: string): string {
  const [path = '/', ...query] = requestedPath.split('?')
  const fields = new URLSearchParams(query.join('?'))
  fields.delete('_rsc')
  const wantedPath = fields.size === 0 ? path : `${path}?${fields}`
  return ['/', '/sessions'].includes(wantedPath)
    ? '/sign-in'
    : `/sign-in?callbackUrl=${encodeURIComponent(wantedPath)}`
}

/** Returns the context of a page's reader, or null if they are not signed in. Session tokens cannot open pages. */
export async function findReader(): Promise<Ctx | null> {
  const actor = await actorFrom(await pageRequest())
  return actor === null || actor.kind === 'subject' ? null : ctxFor(actor)
}

/** Returns the signed-in user, who might be in no workspace, or null. */
export const guest = async (): Promise<Person | null> => personIn(await pageRequest())

const pageRequest = async () => new Request(runtime().ports.origin, { headers: await headers() })
