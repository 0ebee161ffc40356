import type { Target } from '#lib/net/egress-policy.ts'
import { parseTarget, targetOf } from '#lib/net/target.ts'
import { PluginError } from './plugin-error.ts'

/** Where a plugin listens. `url` is what is dialled, without a path. */
export type PluginAddress = { readonly url: URL; readonly target: Target; readonly secure: boolean }

const schemes: Record<string, { secure: boolean }> = {
  remote: { secure: false },
  grpc: { secure: false },
  remotes: { secure: true },
  grpcs: { secure: true }
}

/**
 * Reads `remote://host:port` and `grpc://host:port`, and with TLS `remotes://` and `grpcs://`. Throws `PluginError` `invalid`
 * for anything else, with how to write it.
 */
export function parseAddress(source: string): PluginAddress {
  const mistake = (why: string) =>
    new PluginError('invalid', `“${source.slice(0, 200)}” is not a plugin address: ${why}.`)
  const [, scheme = '', authority = ''] = /^([a-z]+):\/\/([^/?#@\s]+)\/?$/i.exec(source) ?? []
  const known = Object.hasOwn(schemes, scheme.toLowerCase()) ? schemes[scheme.toLowerCase()] : undefined
  if (known === undefined) throw mistake('use remote://host:port, or remotes://host:port for TLS')
  if (!/:\d{1,5}$/.test(authority)) throw mistake('it has no port')
  const { secure } = known
  try {
    const url = parseTarget(`${secure ? 'https' : 'http'}://${authority}`)
    return { url, target: targetOf(url), secure }
  } catch (error) {
    throw new PluginError('invalid', mistake('its host or port is not valid').message, { cause: error })
  }
}
