import { spawnSync } from 'node:child_process'

/** How to start a Postgres program: words before its own command line, and the user to change to, if any. */
export type Privileges = { prefix: string[]; uid?: number; gid?: number }

/**
 * Postgres refuses to run as root. As anybody else it runs as is. As root, a user namespace shows it the IDs of
 * `nobody` while its files stay root's, so that a data directory under a closed directory works and nothing is
 * chowned. Where namespaces are forbidden (some containers) it changes to the user `postgres` or `nobody`, and
 * then the data directory must be reachable for that user.
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
