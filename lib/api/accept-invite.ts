import { stringifySetCookie } from 'cookie'
import { join } from '#lib/auth/members/join.ts'
import { personIn } from '#lib/auth/person-in.ts'
import { workspaceCookie } from '#lib/auth/workspaces/workspace-cookie.ts'
import { raw } from '#lib/http/raw.ts'
import { checkOrigin, ownOrigins } from '#lib/http/request/check-origin.ts'
import { seeOther } from '#lib/http/response/page.ts'
import { runtime } from '#lib/kernel/runtime.ts'

/**
 * Answers the button of an invite link's page. It is a form of ours, so it works without scripts, and only a click uses the
 * link up. A person who joined goes to the new workspace. Everyone else goes back to the page, which says why not.
 */
export const acceptInvite = raw(
  { actor: 'public', path: '/join/{token}/accept' },
  async ({ request, params: { token = '' } }) => {
    const { env, ports } = runtime()
    checkOrigin(request, ownOrigins(ports.origin, env.local))
    const page = `/join/${encodeURIComponent(token)}`
    const person = await personIn(request)
    if (person === null) return seeOther(page)
    const offer = await join(token, person.userId)
    if (offer === undefined || offer.over !== undefined) return seeOther(page)
    const chosen = { name: workspaceCookie, value: offer.workspaceId, path: '/', maxAge: 31_536_000 }
    return seeOther('/sessions', { 'set-cookie': stringifySetCookie({ ...chosen, sameSite: 'lax' }) })
  }
)
