import type { Actor, Role } from '#lib/kernel/ctx.ts'
import { house } from '#lib/kernel/house.ts'
import { userIdIn } from './person-in.ts'
import { together } from './together.ts'

type Membership = { workspaceId: string; role: Role; name: string }

/** A user's memberships, the oldest first. */
const find = together<string, Membership[]>(async userIds => {
  const rows = await house().sql<(Membership & { userId: string })[]>`
    select m.user_id as "userId", m.workspace_id as "workspaceId", m.role, u.name
    from members m join users u on u.id = m.user_id
    where m.user_id = any(${userIds as string[]}::text[]) order by m.created_at`
  const byUser = Map.groupBy(rows, ({ userId }) => userId)
  return userIds.map(one => (byUser.get(one) ?? []).map(({ userId: _, ...membership }) => membership))
})

/**
 * The person behind a session cookie, in the workspace that is named, chosen last or joined first; null when the cookie
 * opens nothing. The cookie only says who: what they may do is read from the database on every request, so a removed
 * member is out at once.
 */
export async function personActor(request: Request, workspaceId: string | null): Promise<Actor | null> {
  const userId = await userIdIn(request)
  if (userId === null) return null
  const memberships = await find(userId)
  const named = (id: string | null) => memberships.find(member => member.workspaceId === id)
  const here = workspaceId === null ? (named(chosenWorkspace(request)) ?? memberships[0]) : named(workspaceId)
  return here === undefined ? null : { kind: 'person', userId, ...here }
}

/** The workspace that the page's switcher put into a cookie. It is a wish: membership is looked up as ever. */
function chosenWorkspace(request: Request): string | null {
  const [, value] = /(?:^|; *)waystation\.workspace=([^;]*)/.exec(request.headers.get('cookie') ?? '') ?? []
  return value ?? null
}
