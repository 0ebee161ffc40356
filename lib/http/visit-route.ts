import { randomBytes } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import { personActor } from '#lib/auth/person-actor.ts'
import { cleanText } from '#lib/kernel/clean-text.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor, house } from '#lib/kernel/house.ts'
import { clientAddress } from './client-address.ts'
import { nonceIn } from './nonce.ts'
import { checkForm, maxBytes, type WholePage, whole } from './page-route.ts'
import { statusOf } from './problem.ts'
import { readText } from './read-text.ts'
import { refusalTo } from './refusal-to.ts'
import type { Handler } from './route.ts'

/**
 * Somebody at a page that belongs to one browser: `browser` is the secret that only this browser has, in a cookie of
 * its own; `personIn`: who has signed in here, in that workspace. `nonce` lets the page's one script run.
 */
export type Visit = {
  url: URL
  browser: string
  nonce: string
  personIn: (workspaceId: string) => Promise<Actor | null>
  form?: URLSearchParams
}

/** Where the browser goes next, or what it is shown. */
export type Shown = WholePage | { redirect: string }

/** How long a browser is known, in seconds: longer than anything that it begins. */
const browserSeconds = 3600

const nobody: Actor = { kind: 'system', name: 'nobody', workspaceId: '' }

/** A door for a page that goes from step to step in one browser. What is refused is a page as well. */
export function visitRoute<Asked>(
  path: string,
  show: (ctx: Ctx, visit: Visit, asked: Asked) => Promise<Shown>,
  refused: (words: string) => string
): Handler {
  return async (request, { params }) => {
    const { name, secure } = cookieOf(house().ports.origin)
    const known = cookieIn(request, name)
    const browser = known ?? randomBytes(32).toString('base64url')
    const answer = await shownBy(request, path, refused, async () => {
      const form = request.method === 'POST' ? await formOf(request) : undefined
      const { pathname, search } = new URL(request.url)
      return show(
        ctxFor(nobody),
        {
          url: new URL(pathname + search, house().ports.origin),
          browser,
          nonce: nonceIn(request.headers),
          personIn: workspaceId => personActor(request, workspaceId),
          ...(form === undefined ? {} : { form })
        },
        (await params) as Asked
      )
    })
    const flags = { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: browserSeconds } as const
    answer.headers.append('set-cookie', stringifySetCookie({ name, value: browser, ...flags }))
    return answer
  }
}

async function shownBy(
  request: Request,
  path: string,
  refused: (words: string) => string,
  work: () => Promise<Shown>
): Promise<Response> {
  try {
    const shown = await work()
    if ('html' in shown) return whole(shown.html, shown.status ?? 200)
    return new Response(null, {
      status: 303,
      headers: { location: shown.redirect, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
    })
  } catch (error) {
    const { refusal, status } = await refusalTo(request, path, error)
    return whole(refused(refusal.message), status ?? statusOf[refusal.code])
  }
}

async function formOf(request: Request): Promise<URLSearchParams> {
  checkForm(request)
  await house().ports.heedLimit('signIn', `page ${clientAddress(request.headers)}`)
  return new URLSearchParams(cleanText(await readText(request, maxBytes)))
}

/** Over https no other host or path can set it (`__Host-`). */
function cookieOf(origin: string) {
  const secure = origin.startsWith('https:')
  return { name: secure ? '__Host-waystation.browser' : 'waystation.browser', secure }
}

/** 32 bytes as we wrote them; anything else is nobody's. */
function cookieIn(request: Request, name: string): string | undefined {
  const value = parseCookie(request.headers.get('cookie') ?? '')[name]
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}
