import { realpath, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { EgressPolicy } from '#lib/net/egress-policy.ts'
import { parseAddress } from './address.ts'
import { PluginError } from './plugin-error.ts'
import type { PluginSource } from './reach.ts'
import type { TlsText } from './read-tls.ts'

/**
 * Where a plugin is, as its workspace's file says: an address and how its TLS is checked, or the path of a program below the
 * folder of local plugins. `text` is for people: nothing secret is in it.
 */
export type SourceText = { text: string } & (
  | { kind: 'remote'; tls?: TlsText | undefined }
  | { kind: 'local'; path: string }
)

/**
 * What is dialled or started. A local plugin is a program that may be run, or a folder with one named `plugin`, below the folder
 * that whoever runs this server has set, also behind links. Throws `PluginError`.
 */
export async function sourceOf(
  source: SourceText,
  { policy, localFolder }: { policy: EgressPolicy; localFolder: string | undefined }
): Promise<PluginSource> {
  if (source.kind === 'remote')
    return { kind: 'remote', address: parseAddress(source.text), policy, tls: source.tls }
  if (localFolder === undefined)
    throw new PluginError(
      'blocked',
      'Local plugins are not enabled on this server. Ask the server operator to set WAYSTATION_PLUGIN_FOLDER.'
    )
  const command = await programAt(join(localFolder, source.path))
  const inside = await realpath(localFolder).catch(() => localFolder)
  if (command === undefined || !command.startsWith(inside + sep))
    throw new PluginError('invalid', `There is no program “${source.path}” in the local plugin folder.`)
  return { kind: 'local', command, args: [], cwd: dirname(command) }
}

/** The real path of a program, or of the one named `plugin` in a folder. */
async function programAt(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return undefined
  return realpath(found.isDirectory() ? join(path, 'plugin') : path).catch(() => undefined)
}
