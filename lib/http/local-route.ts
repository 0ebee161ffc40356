import { stringifySetCookie } from 'cookie'
import { encode } from 'next-auth/jwt'
import { beginSignIn, signInDays } from '#lib/auth/begin-sign-in.ts'
import { checkLink, readLink, takeLink } from '#lib/auth/local-link.ts'
import { localOwner, makeLocalOwner } from '#lib/auth/local-owner.ts'
import { sessionCookie } from '#lib/auth/session-cookie.ts'
import { house } from '#lib/kernel/house.ts'
import { notFound, Refusal } from '#lib/kernel/refusal.ts'
import { clientAddress } from './client-address.ts'
import { html } from './html.ts'
import { isFromThisMachine } from './is-from-this-machine.ts'
import { checkForm, whole } from './page-route.ts'
import { statusOf } from './problem.ts'
import { refusalTo } from './refusal-to.ts'
import { sheet } from './sheet.ts'

/**
 * The page of a sign-in link of local mode. Looking uses nothing up: browsers load pages early. Its button signs in as the
 * local owner and leads to the seeded session `welcome`, where the first prompts are.
 */
export async function localRoute(
  request: Request,
  { params }: { params: Promise<{ token: string }> }
): Promise<Response> {
  try {
    const { env, ports } = house()
    if (!env.local) throw notFound('page', '/local')
    if (!isFromThisMachine(request.headers))
      throw new Refusal(
        'FORBIDDEN',
        'Local mode works only on the computer that runs the server. Open the link on that computer, at the address that the server printed.'
      )
    const { token } = await params
    if (request.method !== 'POST') {
      await checkLink(token)
      return whole(enterPage, 200)
    }
    checkForm(request)
    // Whoever has no link cannot use up the attempts of whoever has one.
    readLink(token)
    await ports.heedLimit('signIn', clientAddress(request.headers))
    await takeLink(token)
    return await enter(request)
  } catch (error) {
    const { refusal, status } = await refusalTo(request, '/local/{token}', error)
    return whole(refusedPage(refusal.message), status ?? statusOf[refusal.code])
  }
}

async function enter(request: Request): Promise<Response> {
  const { env, ports } = house()
  const { name, options } = sessionCookie(ports.origin)
  const maxAge = signInDays * 86_400
  await makeLocalOwner()
  const token = await beginSignIn(localOwner.id, { request })
  const value = await encode({ token, secret: env.authSecret, salt: name, maxAge })
  return new Response(null, {
    status: 303,
    headers: {
      location: '/sessions/welcome',
      'set-cookie': stringifySetCookie({ name, value, maxAge, ...options }),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer'
    }
  })
}

const title = 'Sign in · Waystation'

const enterPage = sheet(
  'you',
  'Waystation',
  html`<p>Agents that wait for you, for an account or for another system. Close the tab: they continue exactly where they stopped.</p>
<form method="post"><div class="buttons"><button class="primary" data-hook="continue-as-local-owner">Continue as local owner</button></div></form>
<p class="muted">This link signs in one browser. The sign-in lasts ${signInDays} days, even if the server restarts.</p>`,
  { title }
)

const refusedPage = (words: string): string =>
  sheet(
    'fail',
    "This sign-in link doesn't work",
    html`<p>${words}</p>
<p class="buttons"><a class="button" href="/">Open Waystation</a></p>`,
    { title }
  )
