import { workspaceCookie } from '@waystation/protocol/workspace/workspace-cookie.ts'
import { parseCookie } from 'cookie'
import type { Actor, Role } from '#lib/kernel/ctx.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { cookieClaims } from './person-in.ts'
import { batchLookup } from './workspaces/batch-lookup.ts'

type Membership = { workspaceId: string; role: Role; name: string }
type SignInMembership = Membership & { signInId: string; userId: string }

/** Returns the memberships of each sign-in's user, oldest first. A sign-in that has ended has none. */
const findMemberships = batchLookup<string, SignInMembership[]>(async signInIds => {
  const rows = await runtime().sql<SignInMembership[]>`
    select s.id as sign_in_id, s.user_id, m.workspace_id, m.role, u.name
    from sign_ins s join users u on u.id = s.user_id join members m on m.user_id = u.id
    where s.id = any(${signInIds as string[]}::text[]) and s.expires_at > clock_timestamp() order by m.created_at`
  const bySignIn = Map.groupBy(rows, ({ signInId }) => signInId)
  return signInIds.map(signInId => bySignIn.get(signInId) ?? [])
})

/**
 * Returns the user of a session cookie, or null if the cookie is not valid. The workspace is `workspaceId`, or if that
 * is null, the one that the user chose last or joined first. Each request reads the sign-in and its permissions from
 * the database, so signing out or removing a member takes effect immediately.
 */
export async function personActor(request: Request, workspaceId: string | null): Promise<Actor | null> {
  const claims = await cookieClaims(request)
  if (claims === null) return null
  const memberships = (await findMemberships(claims.sid)).filter(({ userId }) => userId === claims.sub)
  const membershipIn = (id: string | null) => memberships.find(member => member.workspaceId === id)
  const membership =
    workspaceId === null
      ? (membershipIn(chosenWorkspace(request)) ?? memberships[0])
      : membershipIn(workspaceId)
  return membership === undefined ? null : { kind: 'person', ...membership }
}

const chosenWorkspace = (request: Request): string | null =>
  parseCookie(request.headers.get('cookie') ?? '')[workspaceCookie] ?? null
