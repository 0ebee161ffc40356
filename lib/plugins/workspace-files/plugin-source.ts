import { HclError, type Located, meant, shown } from '@waystation/hcl'
import { remoteSchemes } from '@waystation/plugin-host/address.ts'

/** The location of a plugin: a gRPC server, or a program in the folder of local plugins. */
export type PluginSource =
  | { kind: 'remote'; host: string; port: number; tls: boolean }
  | { kind: 'local'; path: string }

const schemes = [...Object.keys(remoteSchemes), 'local']
const address = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)):(\d{1,5})$/
const folder = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

/**
 * Parses a source: `remote://host:port` or `grpc://host:port`, `remotes://host:port` or `grpcs://host:port`
 * for TLS, or `local://name` for a path inside the folder of local plugins. An IPv6 address is written in
 * brackets and returned without them. Throws `HclError`.
 */
export function pluginSource(source: Located<string>): PluginSource {
  const [, scheme = '', rest = ''] = /^([^:/]{0,40}):\/\/(.*)$/s.exec(source.value) ?? []
  if (scheme === '')
    throw new HclError(
      source,
      `${shown(source.value)} is not a source: write it like "remote://localhost:9010"`
    )
  if (!schemes.includes(scheme))
    throw new HclError(source, `unknown scheme ${shown(scheme)}: ${meant(scheme, schemes)}`)
  if (rest.length > 300)
    throw new HclError(source, 'a source can have at most 300 characters after its scheme')
  if (scheme === 'local') {
    if (folder.test(rest)) return { kind: 'local', path: rest }
    throw new HclError(
      source,
      'a local source must be a path in the folder of local plugins, like "local://weather"'
    )
  }
  const [, v6, name, digits] = address.exec(rest) ?? []
  const host = v6 ?? name
  const port = Number(digits)
  if (host === undefined || !(port >= 1 && port <= 65_535))
    throw new HclError(
      source,
      `a ${scheme} source must be a host and a port, like "${scheme}://localhost:9010"`
    )
  return { kind: 'remote', host, port, tls: remoteSchemes[scheme] === true }
}
