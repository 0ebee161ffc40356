import { invalid } from '@waystation/base/api-error.ts'
import { type PluginAddress, parseAddress } from '@waystation/plugin-host/address.ts'
import type { PluginAt } from '@waystation/plugin-host/contract.ts'
import { hexOfPin } from '#lib/plugins/workspace-files/plugin-tls.ts'

/** Checks an address and its TLS settings, and returns them in one form. Throws `INVALID_INPUT` with `fields`. */
export function checkAddress({ source, pin, ca }: PluginAt): PluginAt {
  const wrong = (field: string, why: string) =>
    invalid('The plugin cannot be called like this.', { [field]: why })
  let address: PluginAddress
  try {
    address = parseAddress(source)
  } catch (error) {
    throw wrong('source', (error as Error).message)
  }
  const { secure, target } = address
  const host = target.host.includes(':') ? `[${target.host}]` : target.host
  for (const [field, value] of Object.entries({ pin, ca }))
    if (value !== undefined && !secure) throw wrong(field, 'only for addresses with remotes://')
  const hex = pin === undefined ? undefined : hexOfPin(pin)
  if (pin !== undefined && hex === undefined)
    throw wrong('pin', 'must be the SHA-256 fingerprint of a certificate, in hex or base64')
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----'))
    throw wrong('ca', 'must be certificates in PEM format')
  return { source: `${secure ? 'remotes' : 'remote'}://${host}:${target.port}`, pin: hex, ca }
}
