import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Uses 60 MB more for a moment. Exits when an idle process has returned most of it. */
const program = `
  import { collectGarbageWhenIdle } from './scripts/serve/collect-garbage.ts'
  collectGarbageWhenIdle(100)
  const rest = process.memoryUsage.rss()
  const texts = Array.from({ length: 500_000 }, (_, n) => ({ n, text: 'text ' + n }))
  const grown = process.memoryUsage.rss() - rest
  console.log(texts.length)
  texts.length = 0
  setInterval(() => process.memoryUsage.rss() - rest < grown / 4 && process.exit(0), 20)
`

test('an idle process returns the memory that it no longer uses', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  expect(stdout).toBe('500000\n')
})
