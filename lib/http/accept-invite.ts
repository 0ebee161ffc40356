import { stringifySetCookie } from 'cookie'
import { join } from '#lib/auth/join.ts'
import { personIn } from '#lib/auth/person-in.ts'
import { workspaceCookie } from '#lib/auth/workspace-cookie.ts'
import { house } from '#lib/kernel/house.ts'
import { answerWith } from './answer-with.ts'
import { checkOrigin, ownOrigins } from './check-origin.ts'

/**
 * The button of an invite link's page: a form of ours, so that it works without scripts and nothing but a click uses a
 * link up. Whoever got in goes to their new workspace; everybody else back to the page, which says why not.
 */
export const acceptInvite = (
  request: Request,
  { params }: { params: Promise<{ token: string }> }
): Promise<Response> =>
  answerWith(request, '/join/{token}/accept', async () => {
    const { env, ports } = house()
    checkOrigin(request, ownOrigins(ports.origin, env.local))
    const { token } = await params
    const page = `/join/${encodeURIComponent(token)}`
    const person = await personIn(request)
    if (person === null) return seeOther(page)
    const offer = await join(token, person.userId)
    if (offer === undefined || offer.over !== undefined) return seeOther(page)
    const chosen = { name: workspaceCookie, value: offer.workspaceId, path: '/', maxAge: 31_536_000 }
    return seeOther('/sessions', { 'set-cookie': stringifySetCookie({ ...chosen, sameSite: 'lax' }) })
  })

const seeOther = (location: string, headers: Record<string, string> = {}) =>
  new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store', ...headers } })
