import type { Actor, Role } from '#lib/kernel/ctx.ts'
import { house } from '#lib/kernel/house.ts'
import { cookieClaims } from './person-in.ts'

/**
 * The person behind a session cookie, in the workspace that is named, chosen last or joined first; null when the cookie
 * opens nothing. The cookie names a user and a sign-in. Each request reads from the database whether that sign-in has ended
 * and what the user may do, so who signed out or was removed is out at once.
 */
export async function personActor(request: Request, workspaceId: string | null): Promise<Actor | null> {
  const claims = await cookieClaims(request)
  if (claims === null) return null
  const memberships = await house().sql<{ workspaceId: string; role: Role; name: string }[]>`
    select m.workspace_id as "workspaceId", m.role, u.name
    from sign_ins s join users u on u.id = s.user_id join members m on m.user_id = u.id
    where s.id = ${claims.sid} and s.user_id = ${claims.sub} and s.expires_at > clock_timestamp()
    order by m.created_at`
  const named = (id: string | null) => memberships.find(member => member.workspaceId === id)
  const here = workspaceId === null ? (named(chosenWorkspace(request)) ?? memberships[0]) : named(workspaceId)
  return here === undefined ? null : { kind: 'person', userId: claims.sub, signInId: claims.sid, ...here }
}

/** The workspace that the page's switcher put into a cookie. It is a wish: membership is looked up as ever. */
function chosenWorkspace(request: Request): string | null {
  const [, value] = /(?:^|; *)waystation\.workspace=([^;]*)/.exec(request.headers.get('cookie') ?? '') ?? []
  return value ?? null
}
