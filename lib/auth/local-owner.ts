import { members, users } from '#db/schema/workspaces.ts'
import { house } from '#lib/kernel/house.ts'
import { isLoopback } from '#lib/kernel/is-loopback.ts'

/** The one person of local mode, an owner of the default workspace. */
export const localOwner = { id: 'local-owner', name: 'Local owner' }

/**
 * Lets the local owner in, or nobody (null). Local mode must be on, and the request must have come from this machine
 * to a name of this machine: a rebound DNS name, or a proxy that brings strangers to loopback, is refused.
 */
export async function admitLocalOwner(headers: Headers): Promise<typeof localOwner | null> {
  const { db, env } = house()
  if (!env.local || !isFromThisMachine(headers)) return null
  await db.insert(users).values(localOwner).onConflictDoNothing()
  await db
    .insert(members)
    .values({ workspaceId: 'default', userId: localOwner.id, role: 'owner' })
    .onConflictDoNothing()
  return localOwner
}

/** Next adds `X-Forwarded-*` itself, for the connection it sees; a proxy in front adds or sets its own. */
function isFromThisMachine(headers: Headers): boolean {
  const host = headers.get('host')
  const forwarded = ['x-forwarded-host', 'x-forwarded-for'].flatMap(
    name =>
      headers
        .get(name)
        ?.split(',')
        .map(part => part.trim()) ?? []
  )
  return host !== null && [host, ...forwarded].every(name => isLoopback(hostOf(name)))
}

/** The name or address in `name`, `name:port`, `[v6]:port`, `v6` or an IPv4-mapped `::ffff:v4`. */
function hostOf(written: string): string {
  const bracketed = /^\[(.+)\](?::\d+)?$/.exec(written)?.[1]
  const bare = bracketed ?? (written.split(':').length > 2 ? written : written.replace(/:\d+$/, ''))
  return bare.replace(/^::ffff:/i, '')
}
