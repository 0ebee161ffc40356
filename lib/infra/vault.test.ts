import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { vaultWith } from './vault.ts'

const key = () => randomBytes(32).toString('base64')

test('what was sealed opens for its own purpose only, and never looks the same twice', () => {
  const vault = vaultWith([key()])
  const sealed = vault.seal('whsec_ü', 'agent:acme')
  expect(sealed).not.toContain('whsec')
  expect(vault.seal('whsec_ü', 'agent:acme')).not.toBe(sealed)
  expect(vault.open(sealed, 'agent:acme')).toBe('whsec_ü')
  expect(() => vault.open(sealed, 'agent:other')).toThrow()
})

test('a new key in front seals from now on; what the old ones sealed still opens, and without them says which is missing', () => {
  const [old, fresh] = [key(), key()]
  const before = vaultWith([old]).seal('secret', 'p')
  const ring = vaultWith([fresh, old])
  expect(ring.open(before, 'p')).toBe('secret')
  const after = ring.seal('secret', 'p')
  expect(vaultWith([fresh]).open(after, 'p')).toBe('secret')
  expect(() => vaultWith([fresh]).open(before, 'p')).toThrow(/WAYSTATION_VAULT_KEY/)
})

test('a changed byte opens nothing', () => {
  const vault = vaultWith([key()])
  const sealed = vault.seal('secret', 'p')
  const [format, id, nonce = '', bytes = ''] = sealed.split('.')
  for (const part of [nonce, bytes])
    for (let at = 0; at < Buffer.from(part, 'base64url').length; at++) {
      const forged = Buffer.from(part, 'base64url')
      forged[at] = (forged[at] ?? 0) ^ 1
      const text = forged.toString('base64url')
      const parts = part === nonce ? [format, id, text, bytes] : [format, id, nonce, text]
      expect(() => vault.open(parts.join('.'), 'p')).toThrow()
    }
  expect(() => vault.open('nonsense', 'p')).toThrow()
})

test('a sealed text whose authentication tag was cut to 4 bytes is refused', () => {
  const vault = vaultWith([key()])
  // Of an empty secret only the tag is stored.
  const [format, id, nonce, bytes = ''] = vault.seal('', 'p').split('.')
  for (const length of [4, 8, 12, 15]) {
    const cut = Buffer.from(bytes, 'base64url').subarray(0, length).toString('base64url')
    expect(() => vault.open([format, id, nonce, cut].join('.'), 'p'), `${length} bytes`).toThrow()
  }
})
