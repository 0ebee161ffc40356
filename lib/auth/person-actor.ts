import { parseCookie } from 'cookie'
import type { Actor, Role } from '#lib/kernel/ctx.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { cookieClaims } from './person-in.ts'
import { together } from './workspaces/together.ts'
import { workspaceCookie } from './workspaces/workspace-cookie.ts'

type Membership = { workspaceId: string; role: Role; name: string }
type Found = Membership & { signInId: string; userId: string }

/** The memberships of the user who signed in, the oldest first; none once the sign-in has ended. */
const find = together<string, Found[]>(async signInIds => {
  const rows = await runtime().sql<Found[]>`
    select s.id as sign_in_id, s.user_id, m.workspace_id, m.role, u.name
    from sign_ins s join users u on u.id = s.user_id join members m on m.user_id = u.id
    where s.id = any(${signInIds as string[]}::text[]) and s.expires_at > clock_timestamp() order by m.created_at`
  const bySignIn = Map.groupBy(rows, ({ signInId }) => signInId)
  return signInIds.map(one => bySignIn.get(one) ?? [])
})

/**
 * The person behind a session cookie, in the workspace that is named, chosen last or joined first; null when the cookie
 * opens nothing. The cookie names a user and a sign-in. Each request reads from the database whether that sign-in has ended
 * and what the user may do, so who signed out or was removed is out at once.
 */
export async function personActor(request: Request, workspaceId: string | null): Promise<Actor | null> {
  const claims = await cookieClaims(request)
  if (claims === null) return null
  const memberships = (await find(claims.sid)).filter(({ userId }) => userId === claims.sub)
  const named = (id: string | null) => memberships.find(member => member.workspaceId === id)
  const here = workspaceId === null ? (named(chosenWorkspace(request)) ?? memberships[0]) : named(workspaceId)
  return here === undefined ? null : { kind: 'person', ...here }
}

const chosenWorkspace = (request: Request): string | null =>
  parseCookie(request.headers.get('cookie') ?? '')[workspaceCookie] ?? null
