import { generateKeyPair, hkdfSync, type JsonWebKey, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { type AcmeStorage, decrypt, encrypt, hashOf } from './store.ts'

/** Derives a key for one purpose from the server's secret by HKDF (RFC 5869). Returns 32 bytes in base64url. */
export const derivedKey = (secret: string, purpose: string): string =>
  Buffer.from(hkdfSync('sha256', secret, 'waystation sample acme', purpose, 32)).toString('base64url')

/**
 * Returns the key set that signs ID tokens, with private keys (RFC 7517). The first call creates an RSA key and
 * stores it. All processes on this database use the same key.
 */
export async function signingKeys(storage: AcmeStorage): Promise<{ keys: JsonWebKey[] }> {
  const { sql } = storage
  const id = hashOf('signing')
  const read = async () => {
    const [row] = await sql<{ id: string; sealed: string }[]>`
      select id, sealed from sample_acme where model = 'Keys' and id = ${id}`
    return row && decrypt<{ keys: JsonWebKey[] }>(storage, 'Keys', row)
  }
  const stored = await read()
  if (stored) return stored
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const created = {
    keys: [{ ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' }]
  }
  // If two processes create a key at once, both use the one that was stored first.
  await sql`
    insert into sample_acme (model, id, sealed) values ('Keys', ${id}, ${encrypt(storage, 'Keys', id, created)})
    on conflict (model, id) do nothing`
  return (await read()) ?? created
}
