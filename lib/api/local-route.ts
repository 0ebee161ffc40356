import { ApiError, notFound } from '@waystation/base/api-error.ts'
import { stringifySetCookie } from 'cookie'
import { encode } from 'next-auth/jwt'
import { createSignIn, signInDays } from '#lib/auth/sign-in/create-sign-in.ts'
import { checkLink, consumeLink, readLink } from '#lib/auth/sign-in/local-link.ts'
import { localOwner, makeLocalOwner } from '#lib/auth/sign-in/local-owner.ts'
import { sessionCookie } from '#lib/auth/sign-in/session-cookie.ts'
import { raw } from '#lib/http/raw.ts'
import { clientAddress } from '#lib/http/request/client-address.ts'
import { isFromThisMachine } from '#lib/http/request/is-from-this-machine.ts'
import { html } from '#lib/http/response/html.ts'
import { htmlPage } from '#lib/http/response/html-page.ts'
import { asPage, checkForm, page, seeOther } from '#lib/http/response/page.ts'
import { publicPaths } from '#lib/kernel/public-paths.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { signInPicture } from './sign-in-picture.ts'

const title = 'Sign in · Waystation'

const enterPage = htmlPage(
  'you',
  'Waystation',
  html`<p>Agents that wait for people and other systems, and continue where they stopped, even days later.</p>
<form method="post"><div class="buttons"><button class="primary" data-hook="continue-as-local-owner">Continue as local owner</button></div></form>
<p class="muted">This link signs in one browser. The sign-in lasts ${signInDays} days, even if the server restarts.</p>`,
  { title, beside: signInPicture.content, look: signInPicture.style }
)

const errorPage = (message: string): string =>
  htmlPage(
    'fail',
    "This sign-in link doesn't work",
    html`<p>${message}</p>
<p class="buttons"><a class="button" href="/">Open Waystation</a></p>`,
    { title }
  )

/**
 * Shows the page of a sign-in link in local mode. A GET does not use the link, because browsers preload pages. The
 * page's button signs in as the local owner and opens the seeded session `welcome`.
 */
export const localRoute = raw(
  { actor: 'public', path: publicPaths.local },
  async ({ request, params: { token = '' } }) => {
    const { env, ports } = runtime()
    if (!env.local) throw notFound('page', '/local')
    if (!isFromThisMachine(request.headers))
      throw new ApiError(
        'FORBIDDEN',
        'Local mode works only on the computer that runs the server. Open the link on that computer, at the address that the server printed.'
      )
    if (request.method !== 'POST') {
      await checkLink(token)
      return page(enterPage)
    }
    checkForm(request)
    // A client without a valid link must not use up the attempts of a client that has one.
    readLink(token)
    await ports.enforceRateLimit('signIn', clientAddress(request.headers))
    await consumeLink(token)
    return signIn(request)
  },
  { writeError: asPage(({ message }) => errorPage(message)) }
)

async function signIn(request: Request): Promise<Response> {
  const { env, ports } = runtime()
  const { name, options } = sessionCookie(ports.origin)
  const maxAge = signInDays * 86_400
  await makeLocalOwner()
  const token = await createSignIn(localOwner.id, { request })
  const value = await encode({ token, secret: env.authSecret, salt: name, maxAge })
  const cookie = stringifySetCookie({ name, value, maxAge, ...options })
  return seeOther('/sessions/welcome', { 'set-cookie': cookie })
}
