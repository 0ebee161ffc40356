import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('browser code contains nothing of the vault or of the protocol with providers', () => {
  const files = globSync('.next/static/**/*.js')
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    for (const word of ['aes-256-gcm', 'pkceCodeVerifier', 'code_verifier', 'WAYSTATION_VAULT_KEY'])
      expect(text.includes(word), `${word} in ${file}`).toBe(false)
  }
})
