import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { watchFolder } from './watch-folder.ts'

test('003-18: a change is noticed after an editor replaced the file, and in folders that were created again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'watched-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'plugin.mjs')
  writeFileSync(file, '0')
  let changes = 0
  const unwatch = watchFolder(folder, () => {
    changes += 1
  })
  onTestFinished(unwatch)
  /** Changes files, and waits until the change was noticed. */
  const change = async (apply: () => void) => {
    const before = changes
    apply()
    await expect.poll(() => changes).toBeGreaterThan(before)
  }
  const replace = () => {
    writeFileSync(join(folder, '.plugin.mjs.tmp'), '1')
    renameSync(join(folder, '.plugin.mjs.tmp'), file)
  }
  for (const text of ['2', '3']) {
    await change(replace)
    await change(() => appendFileSync(file, text))
  }
  const routes = join(folder, 'routes')
  for (const name of ['a.mjs', 'b.mjs']) {
    await change(() => mkdirSync(routes))
    await change(() => writeFileSync(join(routes, name), '1'))
    await change(() => appendFileSync(join(routes, name), '2'))
    await change(() => rmSync(routes, { recursive: true }))
  }
})
