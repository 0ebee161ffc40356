import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { generate } from '#packages/client/generate.ts'

test('the client’s types are those of the operations as they are', async () => {
  const same = (await readFile('packages/client/src/openapi.ts', 'utf8')) === (await generate())
  expect(same, 'Run `npm run generate -w @waystation/client`').toBe(true)
})
