import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { vaultWith } from './vault.ts'

const key = () => randomBytes(32).toString('base64')

test('an encrypted secret can be decrypted only for its purpose, and each ciphertext is different', () => {
  const vault = vaultWith([key()])
  const sealed = vault.encrypt('whsec_ü', 'agent:acme')
  expect(sealed).not.toContain('whsec')
  expect(vault.encrypt('whsec_ü', 'agent:acme')).not.toBe(sealed)
  expect(vault.decrypt(sealed, 'agent:acme')).toBe('whsec_ü')
  expect(() => vault.decrypt(sealed, 'agent:other')).toThrow()
})

test('a new first key encrypts from now on, older keys still decrypt, and a missing key is named in the error', () => {
  const [old, newest] = [key(), key()]
  const oldText = vaultWith([old]).encrypt('secret', 'p')
  const bothKeys = vaultWith([newest, old])
  expect(bothKeys.decrypt(oldText, 'p')).toBe('secret')
  const newText = bothKeys.encrypt('secret', 'p')
  expect(vaultWith([newest]).decrypt(newText, 'p')).toBe('secret')
  expect(() => vaultWith([newest]).decrypt(oldText, 'p')).toThrow(/WAYSTATION_VAULT_KEY/)
})

test('a text with a changed byte cannot be decrypted', () => {
  const vault = vaultWith([key()])
  const sealed = vault.encrypt('secret', 'p')
  const [format, id, nonce = '', bytes = ''] = sealed.split('.')
  for (const part of [nonce, bytes])
    for (let index = 0; index < Buffer.from(part, 'base64url').length; index++) {
      const forged = Buffer.from(part, 'base64url')
      forged[index] = (forged[index] ?? 0) ^ 1
      const text = forged.toString('base64url')
      const parts = part === nonce ? [format, id, text, bytes] : [format, id, nonce, text]
      expect(() => vault.decrypt(parts.join('.'), 'p')).toThrow()
    }
  expect(() => vault.decrypt('nonsense', 'p')).toThrow()
})

test('a text whose authentication tag was cut to 4 bytes is rejected', () => {
  const vault = vaultWith([key()])
  // For an empty secret, only the tag is stored.
  const [format, id, nonce, bytes = ''] = vault.encrypt('', 'p').split('.')
  for (const length of [4, 8, 12, 15]) {
    const cut = Buffer.from(bytes, 'base64url').subarray(0, length).toString('base64url')
    expect(() => vault.decrypt([format, id, nonce, cut].join('.'), 'p'), `${length} bytes`).toThrow()
  }
})
