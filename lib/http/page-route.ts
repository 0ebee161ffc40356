import { cleanText } from '#lib/kernel/clean-text.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor, house } from '#lib/kernel/house.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { ownOrigins } from './check-origin.ts'
import { statusOf } from './problem.ts'
import { readText } from './read-text.ts'
import { refusalTo } from './refusal-to.ts'
import type { Handler } from './route.ts'
import { whileHeld } from './while-held.ts'

/** A page that is whole in itself: its markup, and the status it is sent with. */
export type WholePage = { html: string; status?: number }

/** The most that a form may send. */
export const maxBytes = 512 * 1024

const nobody: Actor = { kind: 'system', name: 'nobody', workspaceId: '' }

/**
 * A door for a page whose address is the credential: it asks for no cookie, runs no script and is kept by nobody. `judge`
 * refuses what stands in the path before anything else is read, and returns what the link is for. `show` gets the path and, of
 * a POST, the form, read as text whatever its type says it is. What is refused is a page as well, which `refused` writes
 * around the sentence.
 */
export function pageRoute<Asked>(
  path: string,
  judge: (ctx: Ctx, asked: Asked) => Promise<string>,
  show: (ctx: Ctx, asked: Asked, form?: URLSearchParams) => Promise<WholePage>,
  refused: (words: string) => string
): Handler {
  return async (request, { params }) => {
    const work = async () => {
      const ctx = ctxFor(nobody)
      const asked = (await params) as Asked
      const link = await judge(ctx, asked)
      return whileHeld(nobody, link, async () => {
        if (request.method !== 'POST') return show(ctx, asked)
        checkForm(request)
        return show(ctx, asked, new URLSearchParams(cleanText(await readText(request, maxBytes))))
      })
    }
    try {
      const { html, status = 200 } = await work()
      return whole(html, status)
    } catch (error) {
      const { refusal, status } = await refusalTo(request, path, error)
      return whole(refused(refusal.message), status ?? statusOf[refusal.code])
    }
  }
}

/**
 * Refuses a form that a page elsewhere sends. Who knows the address could send it without a browser, and no cookie is read,
 * so there is nothing to forge here; but nobody's browser is to answer because they looked at another page.
 *
 * `Origin` alone cannot tell: under `no-referrer` a browser says `null` of our own form too (Fetch standard, "append a
 * request `Origin` header"), so where it says `Sec-Fetch-Site`, that counts. It does not over plain HTTP; then only an origin
 * with a name is foreign. `none` is a person who sends the same again.
 */
export function checkForm(request: Request): void {
  const { env, ports } = house()
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  const named = origin !== null && origin !== 'null'
  const elsewhere = site !== null && site !== 'same-origin' && site !== 'none'
  if (elsewhere || (named && !ownOrigins(ports.origin, env.local).includes(origin)))
    throw new Refusal(
      'FOREIGN_ORIGIN',
      'This form was sent from another site. Open the link directly and try again.'
    )
}

export const whole = (html: string, status: number): Response =>
  new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'referrer-policy': 'no-referrer'
    }
  })
