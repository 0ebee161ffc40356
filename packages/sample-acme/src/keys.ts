import { generateKeyPair, hkdfSync, type JsonWebKey, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { type Ground, hashOf, seal, unseal } from './store.ts'

/** A key of Acme's own for one purpose, made of the server's secret (RFC 5869); 32 bytes in base64url. */
export const derivedKey = (secret: string, purpose: string): string =>
  Buffer.from(hkdfSync('sha256', secret, 'waystation sample acme', purpose, 32)).toString('base64url')

/** The keys that ID tokens are signed by, private parts too: made once, and the same in every process. */
export async function signingKeys(ground: Ground): Promise<{ keys: JsonWebKey[] }> {
  const { sql } = ground
  const id = hashOf('signing')
  const read = async () => {
    const [row] = await sql<{ id: string; sealed: string }[]>`
      select id, sealed from sample_acme where model = 'Keys' and id = ${id}`
    return row && unseal<{ keys: JsonWebKey[] }>(ground, 'Keys', row)
  }
  const kept = await read()
  if (kept) return kept
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const made = {
    keys: [{ ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' }]
  }
  await sql`
    insert into sample_acme (model, id, sealed) values ('Keys', ${id}, ${seal(ground, 'Keys', id, made)})
    on conflict (model, id) do nothing`
  return (await read()) ?? made
}
