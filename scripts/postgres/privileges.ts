import { spawnSync } from 'node:child_process'

/** How to start a Postgres program: a prefix for its command line and, if needed, the user to switch to. */
export type Privileges = { prefix: string[]; uid?: number; gid?: number }

/**
 * Returns how to start Postgres, which does not run as root. Other users start it directly.
 *
 * As root, a user namespace shows Postgres the IDs of `nobody` while its files still belong to root. A data
 * directory below a private directory therefore works, and no owner changes. Where namespaces are forbidden (some
 * containers), Postgres runs as the user `postgres` or `nobody`. That user must then have access to the data
 * directory.
 */
export function privileges(): Privileges {
  if (process.getuid?.() !== 0) return { prefix: [] }
  const nobody = idsOf('nobody') ?? { uid: 65534, gid: 65534 }
  const namespace = ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`]
  if (spawnSync(namespace[0]!, [...namespace.slice(1), 'true']).status === 0) return { prefix: namespace }
  return { prefix: [], ...(idsOf('postgres') ?? nobody) }
}

function idsOf(user: string) {
  const [uid, gid] = ['-u', '-g'].map(flag => spawnSync('id', [flag, user], { encoding: 'utf8' }))
  if (uid?.status !== 0 || gid?.status !== 0) return undefined
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}
