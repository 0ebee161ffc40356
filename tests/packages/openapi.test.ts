import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { generate, generateEndpoints } from '#packages/client/generate.ts'

test("the client's types match the current operations", async () => {
  const isCurrent = async (file: string, text: string) =>
    (await readFile(`packages/client/src/${file}`, 'utf8')) === text
  const command = 'Run `npm run generate -w @waystation/client`'
  expect(await isCurrent('openapi.ts', await generate()), command).toBe(true)
  expect(await isCurrent('endpoints.ts', generateEndpoints()), command).toBe(true)
})

test('each operation has at most 50 lines, because its inputs, responses and errors have names', async () => {
  const text = await readFile('packages/client/src/openapi.ts', 'utf8')
  const operations = text
    .slice(text.indexOf('export interface operations'))
    .split(/^ {4}(?=\w+: \{$)/m)
    .slice(1)
  expect(operations.length).toBeGreaterThan(100)
  expect(operations.filter(operation => operation.trimEnd().split('\n').length > 51)).toEqual([])
})
