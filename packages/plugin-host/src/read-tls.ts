import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { PluginError } from './plugin-error.ts'

/** PEM from a workspace file: the text itself, or the path of a file inside a folder. */
export type PemText = { text: string } | { path: string; folder: string }

/** TLS settings from a workspace file. `pin`: SHA-256 of the plugin's certificate, in lower-case hex. */
export type TlsText = {
  ca?: PemText | undefined
  pin?: string | undefined
  clientCertificate?: PemText | undefined
  clientKey?: PemText | undefined
}

/** TLS settings of a connection, with PEM text. */
export type PluginTls = {
  ca?: string | undefined
  pin?: string | undefined
  cert?: string | undefined
  key?: string | undefined
}

const maxBytes = 1024 * 1024

/**
 * Reads the certificates and the key of a plugin's connection, and checks that they are valid. Throws
 * `PluginError` `invalid` with the name of the setting. No message contains a value or a path, because a key
 * may be where a path should be.
 */
export async function readTls({ ca, pin, clientCertificate, clientKey }: TlsText): Promise<PluginTls> {
  const pem: PluginTls = {
    ca: await pemOf('ca', ca),
    pin,
    cert: await pemOf('client_certificate', clientCertificate),
    key: await pemOf('client_key', clientKey)
  }
  if (pem.ca !== undefined) certificatesIn('ca', pem.ca)
  if (pem.cert === undefined || pem.key === undefined) return pem
  const [certificate] = certificatesIn('client_certificate', pem.cert)
  if (!certificate?.checkPrivateKey(keyOf(pem.key)))
    throw new PluginError(
      'invalid',
      'The “client_key” of this plugin does not match its “client_certificate”.'
    )
  return pem
}

async function pemOf(name: string, pem: PemText | undefined): Promise<string | undefined> {
  if (pem === undefined || 'text' in pem) return pem?.text
  const invalid = (why: string) => new PluginError('invalid', `The file of this plugin's “${name}” ${why}.`)
  const root = await realpath(pem.folder).catch(() => pem.folder)
  const file = await realpath(join(pem.folder, pem.path)).catch(() => undefined)
  if (!file?.startsWith(root + sep)) throw invalid('is not in the workspaces folder')
  const stats = await stat(file).catch(() => undefined)
  if (!stats?.isFile() || stats.size > maxBytes) throw invalid('is not a file of at most 1 MiB')
  return readFile(file, 'utf8').catch(() => {
    throw invalid('cannot be read by the user that runs the server')
  })
}

function certificatesIn(name: string, pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  try {
    if (blocks.length > 0) return blocks.map(block => new X509Certificate(block))
  } catch {
    // The error below does not repeat the PEM.
  }
  throw new PluginError('invalid', `The “${name}” of this plugin contains no readable PEM certificate.`)
}

function keyOf(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    throw new PluginError(
      'invalid',
      'The “client_key” of this plugin is not a PEM private key without a passphrase.'
    )
  }
}
