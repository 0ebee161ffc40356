import { realpath, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { EgressPolicy } from '@waystation/egress'
import { parseAddress } from './address.ts'
import type { PluginSource, SandboxLocal } from './connect-source.ts'
import { PluginError } from './plugin-error.ts'
import type { TlsText } from './read-tls.ts'

/**
 * The location of a plugin, from its workspace file: an address with TLS settings, or the path of a program in
 * the local plugin folder. `text` is displayed to people and contains no secrets.
 */
export type SourceText = { text: string } & (
  | { kind: 'remote'; tls?: TlsText | undefined }
  | { kind: 'local'; path: string; sandbox?: true | undefined }
)

/**
 * Resolves a location to an address or a command. A local plugin is an executable, or a folder that contains
 * one named `plugin`. After links are resolved, it must be inside `localFolder`, which the operator sets.
 * Throws `PluginError`.
 */
export async function resolveSource(
  source: SourceText,
  {
    policy,
    localFolder,
    sandbox
  }: { policy: EgressPolicy; localFolder: string | undefined; sandbox?: SandboxLocal | undefined }
): Promise<PluginSource> {
  if (source.kind === 'remote')
    return { kind: 'remote', address: parseAddress(source.text), policy, tls: source.tls }
  if (localFolder === undefined)
    throw new PluginError(
      'blocked',
      'Local plugins are not enabled on this server. Ask the server operator to set WAYSTATION_PLUGIN_FOLDER.'
    )
  const path = join(localFolder, source.path)
  const command = await programAt(path)
  const root = await realpath(localFolder).catch(() => localFolder)
  const isFolder = command === undefined && (await stat(path).catch(() => undefined))?.isDirectory()
  if (isFolder) throw new PluginError('invalid', noProgramIn(source.path))
  if (command === undefined || !command.startsWith(root + sep))
    throw new PluginError('invalid', `There is no program “${source.path}” in the local plugin folder.`)
  const program: PluginSource = { kind: 'local', command, args: [], cwd: dirname(command) }
  if (!source.sandbox) return program
  if (sandbox === undefined) throw new PluginError('blocked', 'This server has no sandbox for local plugins.')
  return { ...program, sandbox }
}

/** The reason why a folder is not a plugin. */
export const noProgramIn = (folder: string): string =>
  `The folder “${folder}” contains no program named “plugin”. Add the name of the program to the path.`

/**
 * Returns the real path of a program, or of the program named `plugin` in a folder. Undefined if there is none.
 */
async function programAt(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (stats === undefined) return undefined
  return realpath(stats.isDirectory() ? join(path, 'plugin') : path).catch(() => undefined)
}
