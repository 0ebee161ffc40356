import { isIP } from 'node:net'
import { isLoopback } from '#lib/kernel/is-loopback.ts'
import { type PluginAddress, parseAddress } from './address.ts'
import { PluginError } from './plugin-error.ts'
import { wordsOf } from './untrusted.ts'

/**
 * Reads the line by which a local plugin says where it listens: `1|1|tcp|127.0.0.1:43127|grpc`, the form of HashiCorp's
 * go-plugin: version of the handshake, version of the API, network, address, protocol. Throws `PluginError` `invalid` for any
 * other line, and for an address that other machines could reach.
 */
export function readHandshake(line: string): PluginAddress {
  const [core, api, network, address = '', protocol] = line.trim().split('|')
  const mistake = (why: string) =>
    new PluginError(
      'invalid',
      `${why} Its first line must look like 1|1|tcp|127.0.0.1:43127|grpc, but was “${wordsOf(line, 200)}”.`
    )
  if (core !== '1' || api !== '1') throw mistake('The plugin sent no version 1 handshake.')
  if (network !== 'tcp' || protocol !== 'grpc') throw mistake('The plugin does not serve gRPC over TCP.')
  const [, host = ''] = /^(\[[^\]]+\]|[^:]+):\d+$/.exec(address) ?? []
  // A name is not taken: where it leads is not for the plugin to say.
  if (!isIP(host.replace(/^\[|\]$/g, '')) || !isLoopback(host))
    throw mistake("The plugin's address is not a loopback address.")
  return parseAddress(`remote://${address}`)
}
