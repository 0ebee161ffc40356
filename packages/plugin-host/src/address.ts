import { parseTarget, type Target, targetOf } from '@waystation/egress'
import { PluginError } from './plugin-error.ts'

/** The address of a plugin. `url` is the origin to connect to, without a path. */
export type PluginAddress = { readonly url: URL; readonly target: Target; readonly secure: boolean }

const schemes: Record<string, { secure: boolean }> = {
  remote: { secure: false },
  grpc: { secure: false },
  remotes: { secure: true },
  grpcs: { secure: true }
}

/**
 * Parses `remote://host:port` and `grpc://host:port`, or `remotes://` and `grpcs://` for TLS. Throws
 * `PluginError` `invalid` for anything else, with the correct format.
 */
export function parseAddress(source: string): PluginAddress {
  const invalid = (why: string) =>
    new PluginError('invalid', `“${source.slice(0, 200)}” is not a plugin address: ${why}.`)
  const [, scheme = '', authority = ''] = /^([a-z]+):\/\/([^/?#@\s]+)\/?$/i.exec(source) ?? []
  const schemeInfo = Object.hasOwn(schemes, scheme.toLowerCase()) ? schemes[scheme.toLowerCase()] : undefined
  if (schemeInfo === undefined) throw invalid('use remote://host:port, or remotes://host:port for TLS')
  if (!/:\d{1,5}$/.test(authority)) throw invalid('it has no port')
  const { secure } = schemeInfo
  try {
    const url = parseTarget(`${secure ? 'https' : 'http'}://${authority}`)
    return { url, target: targetOf(url), secure }
  } catch (error) {
    throw new PluginError('invalid', invalid('its host or port is not valid').message, { cause: error })
  }
}
