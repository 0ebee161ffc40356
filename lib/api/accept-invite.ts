import { chooseWorkspace } from '@waystation/protocol/workspace/workspace-cookie.ts'
import { join } from '#lib/auth/members/join.ts'
import { personIn } from '#lib/auth/person-in.ts'
import { raw } from '#lib/http/raw.ts'
import { checkOrigin, ownOrigins } from '#lib/http/request/check-origin.ts'
import { seeOther } from '#lib/http/response/page.ts'
import { runtime } from '#lib/kernel/runtime.ts'

/**
 * Handles the button on an invite link's page. It is our own form, so it works without scripts, and only a click uses
 * the link. A user who joined goes to the new workspace. Everyone else goes back to the page, which shows the reason.
 */
export const acceptInvite = raw(
  { actor: 'public', path: '/join/{token}/accept' },
  async ({ request, params: { token = '' } }) => {
    const { env, ports } = runtime()
    checkOrigin(request, ownOrigins(ports.origin, env.local))
    const page = `/join/${encodeURIComponent(token)}`
    const person = await personIn(request)
    if (person === null) return seeOther(page)
    const result = await join(token, person.userId)
    if (result === undefined || result.over !== undefined) return seeOther(page)
    return seeOther('/sessions', { 'set-cookie': chooseWorkspace(result.workspaceId) })
  }
)
