import { randomBytes } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import { personActor } from '#lib/auth/person-actor.ts'
import { type Handler, raw } from '#lib/http/raw.ts'
import { clientAddress } from '#lib/http/request/client-address.ts'
import type { Params } from '#lib/http/request/read-input.ts'
import { readNonce } from '#lib/http/response/nonce.ts'
import { asPage, checkForm, readForm } from '#lib/http/response/page.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { errorPage } from './pages.ts'

/**
 * A request for a page that belongs to one browser. `browser` is a secret in a cookie of this browser. `personIn`
 * returns the user who is signed in to that workspace in it. `nonce` lets the page's script run.
 */
export type BrowserVisit = {
  url: URL
  browser: string
  nonce: string
  personIn: (workspaceId: string) => Promise<Actor | null>
  form?: URLSearchParams
}

/** How long a browser's cookie lasts, in seconds. It outlasts each connection attempt that the browser starts. */
const browserSeconds = 3600

/** Makes the handler of a page that leads one browser through several steps. */
export function browserPage(
  path: string,
  show: (ctx: Ctx, visit: BrowserVisit, params: Params) => Promise<Response>
): Handler & { path: string } {
  const handler: Handler = async (request, context) => {
    const { origin } = runtime().ports
    const isSecure = origin.startsWith('https:')
    // With this prefix, no other host or path can set the cookie (ASVS 5.0, 3.3).
    const name = isSecure ? '__Host-waystation.browser' : 'waystation.browser'
    const browser = browserIn(request, name) ?? randomBytes(32).toString('base64url')
    const answer = raw(
      { actor: 'public', path },
      async ({ params, ctx }) => {
        const form = request.method === 'POST' ? await formIn(request) : undefined
        const { pathname, search } = new URL(request.url)
        const visit = {
          url: new URL(pathname + search, origin),
          browser,
          nonce: readNonce(request.headers),
          personIn: (workspaceId: string) => personActor(request, workspaceId),
          ...(form === undefined ? {} : { form })
        }
        return show(ctx, visit, params)
      },
      { writeError: asPage(({ message }) => errorPage(message)) }
    )
    const response = await answer(request, context)
    const flags = {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: isSecure,
      maxAge: browserSeconds
    } as const
    response.headers.append('set-cookie', stringifySetCookie({ name, value: browser, ...flags }))
    return response
  }
  return Object.assign(handler, { path })
}

async function formIn(request: Request): Promise<URLSearchParams> {
  checkForm(request)
  await runtime().ports.enforceRateLimit('signIn', `page ${clientAddress(request.headers)}`)
  return readForm(request)
}

/** Returns the browser's secret, 32 bytes in base64url, or undefined if the value has another format. */
function browserIn(request: Request, name: string): string | undefined {
  const value = parseCookie(request.headers.get('cookie') ?? '')[name]
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}
