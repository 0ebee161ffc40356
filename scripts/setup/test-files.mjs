import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

/** @typedef {{ unit: string[], browser: string[], needBuild: boolean }} TestFiles */

/**
 * The test files whose path contains one of the words (no word: all), by runner. Only those outside of `tests/` do
 * without the built pages.
 *
 * @param {string[]} words
 * @returns {TestFiles}
 */
export function findTests(words) {
  const all = ['lib', 'db', 'components', 'tests']
    .flatMap(folder => list(folder))
    .filter(file => /\.test\.tsx?$/.test(file))
    .filter(file => words.length === 0 || words.some(word => file.includes(word)))
  const browser = all.filter(file => file.startsWith('tests/e2e/'))
  const unit = all.filter(file => !file.startsWith('tests/e2e/'))
  return { unit, browser, needBuild: all.some(file => file.startsWith('tests/')) }
}

/** @param {string} folder */
function list(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true }).map(
    name => `${folder}/${String(name).replaceAll('\\', '/')}`
  )
}
