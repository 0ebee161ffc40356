import { expect, test } from 'vitest'
import { LogRing } from './log-ring.ts'

test('the last output of a Node program that crashed contains its error', () => {
  const logs = new LogRing()
  logs.add('stderr', 'from an earlier start')
  const before = logs.added
  for (const line of [
    'throw new ERR_UNKNOWN_FILE_EXTENSION(ext, filepath);',
    '^',
    'TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /plugins/stock.ts',
    ...Array.from({ length: 6 }, (_, index) => `    at load (node:internal/modules/esm/load:${index}:1) {`),
    "  code: 'ERR_UNKNOWN_FILE_EXTENSION'",
    '}',
    'Node.js v20.20.2'
  ])
    logs.add('stderr', line)
  expect(logs.tail(before)).toContain('TypeError [ERR_UNKNOWN_FILE_EXTENSION]')
  expect(logs.tail(before)).not.toContain('earlier')
})
