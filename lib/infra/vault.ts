import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { KnownError } from '@waystation/base/known-error.ts'
import type { Vault } from '#lib/kernel/ctx.ts'

const version = 'v1'

/** Thrown if a secret cannot be decrypted because its key is not in the settings. */
class KeyMissing extends KnownError {
  static override readonly kind: string = 'KeyMissing'
}

/**
 * Encrypts secrets for storage with AES-256-GCM. The purpose of a secret is its associated data, so that a
 * secret that is copied to another row cannot be decrypted. `keys`: 32 bytes each in base64, the newest first.
 * The newest key encrypts, and all keys decrypt. `decrypt` throws if the key is missing or the text was changed.
 */
export function vaultWith(keys: readonly string[]): Vault {
  const keyRing = keys.map(key => {
    const bytes = Buffer.from(key, 'base64')
    return { bytes, id: createHash('sha256').update(bytes).digest('base64url').slice(0, 8) }
  })
  const [newest] = keyRing
  if (newest === undefined) throw new Error('The vault needs a key. Set WAYSTATION_VAULT_KEY.')
  return {
    encrypt(secret, purpose) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', newest.bytes, nonce).setAAD(Buffer.from(purpose))
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return [version, newest.id, nonce.toString('base64url'), sealed.toString('base64url')].join('.')
    },
    olderKeys: keyRing.slice(1).map(({ id }) => id),
    decrypt(text, purpose) {
      const [format, id, nonce = '', sealed = ''] = text.split('.')
      const key = keyRing.find(candidate => candidate.id === id)
      if (format !== version || key === undefined)
        throw new KeyMissing(
          `A stored secret is encrypted with a key (${id}) that this server does not have. Add that key to WAYSTATION_VAULT_KEY, after the newest key.`
        )
      const bytes = Buffer.from(sealed, 'base64url')
      // Without this length, Node accepts shorter tags, which are easier to forge.
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(nonce, 'base64url'), {
        authTagLength: 16
      })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
    }
  }
}
