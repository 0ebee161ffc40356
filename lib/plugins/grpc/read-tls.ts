import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { PluginError } from './plugin-error.ts'

/** PEM as a workspace's file has it: the text, or the path of a file inside of a folder. */
export type PemText = { text: string } | { path: string; folder: string }

/** TLS settings as a workspace's file has them. `pin`: SHA-256 of the plugin's certificate, in lower-case hex. */
export type TlsText = {
  ca?: PemText | undefined
  pin?: string | undefined
  clientCertificate?: PemText | undefined
  clientKey?: PemText | undefined
}

/** What a connection is made with, as PEM. */
export type PluginTls = {
  ca?: string | undefined
  pin?: string | undefined
  cert?: string | undefined
  key?: string | undefined
}

const mostBytes = 1024 * 1024

/**
 * Reads the certificates and the key of a plugin's connection, and checks that they can be used. Throws `PluginError` `invalid`
 * with the name of the setting. No message repeats a value or a path: a key may have been written where a path should be.
 */
export async function readTls({ ca, pin, clientCertificate, clientKey }: TlsText): Promise<PluginTls> {
  const read: PluginTls = {
    ca: await pemOf('ca', ca),
    pin,
    cert: await pemOf('client_certificate', clientCertificate),
    key: await pemOf('client_key', clientKey)
  }
  if (read.ca !== undefined) certificatesIn('ca', read.ca)
  if (read.cert === undefined || read.key === undefined) return read
  const [certificate] = certificatesIn('client_certificate', read.cert)
  if (!certificate?.checkPrivateKey(keyOf(read.key)))
    throw new PluginError(
      'invalid',
      'The “client_key” of this plugin does not match its “client_certificate”.'
    )
  return read
}

async function pemOf(name: string, pem: PemText | undefined): Promise<string | undefined> {
  if (pem === undefined || 'text' in pem) return pem?.text
  const mistake = (why: string) => new PluginError('invalid', `The file of this plugin's “${name}” ${why}.`)
  const inside = await realpath(pem.folder).catch(() => pem.folder)
  const file = await realpath(join(pem.folder, pem.path)).catch(() => undefined)
  if (!file?.startsWith(inside + sep)) throw mistake('is not in the workspaces folder')
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile() || found.size > mostBytes) throw mistake('is not a file of at most 1 MiB')
  return readFile(file, 'utf8').catch(() => {
    throw mistake('cannot be read by the user that runs the server')
  })
}

function certificatesIn(name: string, pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  try {
    if (blocks.length > 0) return blocks.map(block => new X509Certificate(block))
  } catch {
    // It is told below, without what was read.
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
