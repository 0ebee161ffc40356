import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Vault } from '#lib/kernel/ctx.ts'
import { KnownError } from '#lib/kernel/known-error.ts'

const version = 'v1'

/** A secret cannot be opened, because its key is not among the settings. */
class KeyMissing extends KnownError {
  static override readonly kind: string = 'KeyMissing'
}

/**
 * Seals secrets before they are stored: AES-256-GCM, with what a secret is for as associated data, so that one that is moved
 * to another row opens nothing. `keys`: 32 bytes each in base64, the newest first; it seals, all of them open.
 */
export function vaultWith(keys: readonly string[]): Vault {
  const ring = keys.map(key => {
    const bytes = Buffer.from(key, 'base64')
    return { bytes, id: createHash('sha256').update(bytes).digest('base64url').slice(0, 8) }
  })
  const [newest] = ring
  if (newest === undefined) throw new Error('The vault needs a key. Set WAYSTATION_VAULT_KEY.')
  return {
    seal(secret, purpose) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', newest.bytes, nonce).setAAD(Buffer.from(purpose))
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return [version, newest.id, nonce.toString('base64url'), sealed.toString('base64url')].join('.')
    },
    olderKeys: ring.slice(1).map(({ id }) => id),
    open(text, purpose) {
      const [format, id, nonce = '', sealed = ''] = text.split('.')
      const key = ring.find(one => one.id === id)
      if (format !== version || key === undefined)
        throw new KeyMissing(
          `A stored secret is encrypted with a key (${id}) that this server does not have. Add that key to WAYSTATION_VAULT_KEY, after the newest key.`
        )
      const bytes = Buffer.from(sealed, 'base64url')
      // Without the length Node accepts a shorter tag, which is easier to forge.
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(nonce, 'base64url'), {
        authTagLength: 16
      })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
    }
  }
}
