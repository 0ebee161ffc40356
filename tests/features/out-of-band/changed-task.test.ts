import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compareChangedTask } from '#bench/changed-task.ts'
import { createDatabase } from '#tests/support/servers/database.ts'

test('004-16, 004-17: a task that changes needs fewer steps, tokens and minutes with an out-of-band message, as the documentation says', async () => {
  const database = await createDatabase()
  const costs = await compareChangedTask(database.url)
  const [without, withOob] = [costs['queued message'], costs['out-of-band message']]
  expect(withOob.steps).toBeLessThan(without.steps)
  expect(withOob.inputTokens).toBeLessThan(without.inputTokens)
  expect(withOob.outputTokens).toBeLessThan(without.outputTokens)
  expect(withOob.minutes).toBeLessThan(without.minutes)
  const page = await readFile('docs/out-of-band.md', 'utf8')
  // Each change of the instructions changes the tokens, so only steps and minutes must be current.
  for (const [way, { steps, minutes }] of Object.entries(costs))
    expect(page).toMatch(
      new RegExp(`^\\| ${way} \\| ${steps} \\| [\\d,]+ \\| [\\d,]+ \\| ${minutes} \\|$`, 'm')
    )
}, 300_000)
