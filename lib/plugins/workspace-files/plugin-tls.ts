import { HclError, type Located } from '@waystation/hcl'
import type { PluginSource } from './plugin-source.ts'

/** PEM as text, or the path of a PEM file below the folder of the workspace files. */
export type PemSource = { text: string } | { path: string }

/**
 * How the server verifies a plugin with TLS, and the client certificate that it presents. `pin`: SHA-256 of the
 * plugin's certificate, as 64 lower-case hex digits.
 */
export type PluginTls = {
  ca?: PemSource
  pin?: string
  clientCertificate?: PemSource
  clientKey?: PemSource
}

/** The TLS attributes of a plugin block. */
export const tlsAttributes = {
  ca: 'string?',
  pin: 'string?',
  client_certificate: 'string?',
  client_key: 'string?'
} as const

type Name = keyof typeof tlsAttributes

/**
 * Returns the TLS settings of a plugin, or undefined if it has none. No message repeats a value, because it may
 * be a key.
 *
 * @throws HclError if the source has no TLS, if only one of the client's certificate and key is set, or if a
 * value is neither PEM nor a path
 */
export function pluginTls(
  source: PluginSource,
  values: Partial<Record<Name, Located<string> | undefined>>
): PluginTls | undefined {
  const { ca, pin, client_certificate: certificate, client_key: key } = values
  for (const name of Object.keys(tlsAttributes) as Name[]) {
    const value = values[name]
    if (value !== undefined && !(source.kind === 'remote' && source.tls))
      throw new HclError(value, `"${name}" needs a source with TLS: write remotes://host:port`)
  }
  const unpaired =
    (key === undefined ? certificate : undefined) ?? (certificate === undefined ? key : undefined)
  if (unpaired !== undefined)
    throw new HclError(unpaired, '"client_certificate" and "client_key" belong together: set both')
  if (ca === undefined && pin === undefined && certificate === undefined) return undefined
  return {
    ...(ca && { ca: pemOf('ca', ca) }),
    ...(pin && { pin: pinOf(pin) }),
    ...(certificate && { clientCertificate: pemOf('client_certificate', certificate) }),
    ...(key && { clientKey: pemOf('client_key', key) })
  }
}

const path = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

function pemOf(name: Name, value: Located<string>): PemSource {
  if (value.value.includes('-----BEGIN ')) return { text: value.value }
  if (value.value.length <= 300 && path.test(value.value)) return { path: value.value }
  throw new HclError(
    value,
    `"${name}" must be PEM text or a path below this file's folder, like "certificates/ca.pem"`
  )
}

/**
 * Parses a fingerprint as written by `openssl x509 -fingerprint -sha256`, as plain hex, or as base64. Returns
 * hex, or undefined if it is none of these.
 */
export function hexOfPin(pin: string): string | undefined {
  // The program prints the name of the hash before the fingerprint.
  const fingerprint = pin.trim().replace(/^sha256 fingerprint=/i, '')
  const hex = fingerprint.replaceAll(':', '').toLowerCase()
  if (/^[0-9a-f]{64}$/.test(hex)) return hex
  return /^[A-Za-z0-9+/]{43}=?$/.test(fingerprint)
    ? Buffer.from(fingerprint, 'base64').toString('hex')
    : undefined
}

function pinOf(pin: Located<string>): string {
  const hex = hexOfPin(pin.value)
  if (hex !== undefined) return hex
  throw new HclError(
    pin,
    '"pin" must be the SHA-256 fingerprint of a certificate: 64 hex digits, or 32 bytes in base64'
  )
}
