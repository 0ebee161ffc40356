import { asc, eq } from 'drizzle-orm'
import { members, users } from '#db/schema/workspaces.ts'
import type { Actor } from '#lib/kernel/ctx.ts'
import { house } from '#lib/kernel/house.ts'
import { userIdIn } from './person-in.ts'

/**
 * The person behind a session cookie, in the workspace that is named, chosen last or joined first; null when the cookie
 * opens nothing. The cookie only says who: what they may do is read from the database on every request, so a removed
 * member is out at once.
 */
export async function personActor(request: Request, workspaceId: string | null): Promise<Actor | null> {
  const userId = await userIdIn(request)
  if (userId === null) return null
  const memberships = await house()
    .db.select({ workspaceId: members.workspaceId, role: members.role, name: users.name })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.userId, userId))
    .orderBy(asc(members.createdAt))
  const named = (id: string | null) => memberships.find(member => member.workspaceId === id)
  const here = workspaceId === null ? (named(chosenWorkspace(request)) ?? memberships[0]) : named(workspaceId)
  return here === undefined ? null : { kind: 'person', userId, ...here }
}

/** The workspace that the page's switcher put into a cookie. It is a wish: membership is looked up as ever. */
function chosenWorkspace(request: Request): string | null {
  const [, value] = /(?:^|; *)waystation\.workspace=([^;]*)/.exec(request.headers.get('cookie') ?? '') ?? []
  return value ?? null
}
