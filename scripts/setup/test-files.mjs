import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

/**
 * The group of a test file. `server` and `browser` tests need the built pages; `pure` and `integration` tests do not.
 * `long` contains everything below `tests/long`, and some of these tests need the pages too. `tests/README.md`
 * explains the folders.
 *
 * @typedef {'pure' | 'integration' | 'server' | 'long' | 'browser'} Kind
 */

/** The engine tests that `npm run test:quick` runs in addition to the pure tests and the permission matrix. */
export const QUICK = [
  'tests/http/permissions',
  'tests/engine/when-busy',
  'tests/engine/fencing',
  'tests/engine/dead-workers',
  'tests/engine/calls/answers',
  'tests/engine/calls/deadlines',
  'tests/http/chat-answers',
  'tests/features/out-of-band/out-of-band',
  'tests/auth/tokens-reach',
  'tests/engine/reference-model/core'
]

/**
 * Returns the test files of a mode. With words, keeps only files whose path contains one of them. Words also match
 * long tests, so that each file can run alone.
 *
 * @param {'all' | 'quick' | 'long'} mode
 * @param {string[]} words
 */
export function findTests(mode, words) {
  const matching = listTests().filter(file => words.length === 0 || words.some(word => file.includes(word)))
  if (mode === 'long') return matching.filter(file => kindOf(file) === 'long' || isLongerInLongMode(file))
  if (mode === 'quick')
    return matching.filter(file => kindOf(file) === 'pure' || QUICK.some(core => file.startsWith(`${core}.`)))
  return words.length > 0 ? matching : matching.filter(file => kindOf(file) !== 'long')
}

/**
 * Returns true if a browser test does more when `WAYSTATION_TEST_LONG` is set: six variants of each page instead of
 * two, screenshots, and the pages of the sample provider.
 *
 * @param {string} file
 */
const isLongerInLongMode = file =>
  kindOf(file) === 'browser' &&
  /WAYSTATION_TEST_LONG|expectAccessible/.test(readFileSync(join(root, file), 'utf8'))

/** Returns every test file, as a path relative to the project's folder. */
export function listTests() {
  return ['lib', 'db', 'components', 'packages', 'scripts', 'tests']
    .flatMap(folder => list(folder))
    .filter(file => /\.test\.tsx?$/.test(file) && !file.includes('node_modules/'))
    .sort()
}

/** Returns the group of a test file, from its path. @param {string} file @returns {Kind} */
export function kindOf(file) {
  if (!file.startsWith('tests/') || file.startsWith('tests/chaos/')) return 'pure'
  if (file.startsWith('tests/browser/')) return 'browser'
  if (file.startsWith('tests/long/')) return 'long'
  return needsPages(file) ? 'server' : 'integration'
}

/** Returns true if a test starts a complete server, which serves the built pages. @param {string} file */
export const needsPages = file => file.startsWith('tests/browser/') || file.endsWith('.server.test.ts')

/** @param {string} folder */
function list(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true }).map(
    name => `${folder}/${String(name).replaceAll('\\', '/')}`
  )
}
