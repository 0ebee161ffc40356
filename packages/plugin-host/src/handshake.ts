import { isIP } from 'node:net'
import { isLoopback } from '@waystation/base/is-loopback.ts'
import { type PluginAddress, parseAddress } from './address.ts'
import { PluginError } from './plugin-error.ts'
import { toSingleLine } from './untrusted.ts'

/**
 * Parses the line in which a local plugin reports its address, for example `1|1|tcp|127.0.0.1:43127|grpc`. The
 * format is that of HashiCorp's go-plugin: handshake version, API version, network, address, protocol. Throws
 * `PluginError` `invalid` for any other line, and for addresses that other machines can reach.
 */
export function readHandshake(line: string): PluginAddress {
  const [core, api, network, address = '', protocol] = line.trim().split('|')
  const invalid = (why: string) =>
    new PluginError(
      'invalid',
      `${why} Its first line must look like 1|1|tcp|127.0.0.1:43127|grpc, but was “${toSingleLine(line, 200)}”.`
    )
  if (core !== '1' || api !== '1') throw invalid('The plugin sent no version 1 handshake.')
  if (network !== 'tcp' || protocol !== 'grpc') throw invalid('The plugin does not serve gRPC over TCP.')
  const [, host = ''] = /^(\[[^\]]+\]|[^:]+):\d+$/.exec(address) ?? []
  // A host name is rejected, because the plugin must not decide where it resolves to.
  if (!isIP(host.replace(/^\[|\]$/g, '')) || !isLoopback(host))
    throw invalid("The plugin's address is not a loopback address.")
  return parseAddress(`remote://${address}`)
}
