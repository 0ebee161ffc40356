import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { generate } from '#packages/client/generate.ts'

test("the client's types match the current operations", async () => {
  const isCurrent = (await readFile('packages/client/src/openapi.ts', 'utf8')) === (await generate())
  expect(isCurrent, 'Run `npm run generate -w @waystation/client`').toBe(true)
})
