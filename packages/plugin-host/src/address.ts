import { parseTarget, type Target, targetOf } from '@waystation/egress'
import { PluginError } from './plugin-error.ts'

/** The address of a plugin. `url` is the origin to connect to, without a path. */
export type PluginAddress = { readonly url: URL; readonly target: Target; readonly secure: boolean }

/** The schemes of plugins that are gRPC servers, and whether they use TLS. */
export const remoteSchemes: Readonly<Record<string, boolean>> = {
  remote: false,
  remotes: true,
  grpc: false,
  grpcs: true
}

/**
 * Parses `remote://host:port` and `grpc://host:port`, or `remotes://` and `grpcs://` for TLS. Throws
 * `PluginError` `invalid` for anything else, with the correct format.
 */
export function parseAddress(source: string): PluginAddress {
  const invalid = (why: string) =>
    new PluginError('invalid', `“${source.slice(0, 200)}” is not a plugin address: ${why}.`)
  const [, scheme = '', authority = ''] = /^([a-z]+):\/\/([^/?#@\s]+)\/?$/i.exec(source) ?? []
  const name = scheme.toLowerCase()
  const secure = Object.hasOwn(remoteSchemes, name) ? remoteSchemes[name] : undefined
  if (secure === undefined) throw invalid('use remote://host:port, or remotes://host:port for TLS')
  if (!/:\d{1,5}$/.test(authority)) throw invalid('it has no port')
  try {
    const url = parseTarget(`${secure ? 'https' : 'http'}://${authority}`)
    return { url, target: targetOf(url), secure }
  } catch (error) {
    throw new PluginError('invalid', invalid('its host or port is not valid').message, { cause: error })
  }
}
