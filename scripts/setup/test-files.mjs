import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

/**
 * What a run covers. `pure` and `world` need no built pages, `server` and `browser` do, `long` holds everything under
 * `tests/long` (some of which needs them too). `tests/README.md` explains the folders.
 *
 * @typedef {'pure' | 'world' | 'server' | 'long' | 'browser'} Kind
 */

/** The engine tests that `npm run test:quick` runs beside the pure tests and the permission matrix. */
export const QUICK = [
  'tests/http/permissions',
  'tests/engine/busy',
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
 * The test files of a mode, narrowed to those whose path contains one of the words (no word: all of them). Words reach
 * long tests too, so that each file can be run alone.
 *
 * @param {'all' | 'quick' | 'long'} mode
 * @param {string[]} words
 */
export function findTests(mode, words) {
  const named = listTests().filter(file => words.length === 0 || words.some(word => file.includes(word)))
  if (mode === 'long') return named.filter(file => kindOf(file) === 'long' || doesMore(file))
  if (mode === 'quick')
    return named.filter(file => kindOf(file) === 'pure' || QUICK.some(core => file.startsWith(`${core}.`)))
  return words.length > 0 ? named : named.filter(file => kindOf(file) !== 'long')
}

/**
 * Whether a browser test does more when `WAYSTATION_TEST_LONG` is set: each page in six looks instead of two, pictures, and
 * the pages of the sample provider.
 *
 * @param {string} file
 */
const doesMore = file =>
  kindOf(file) === 'browser' && /WAYSTATION_TEST_LONG|looksWell/.test(readFileSync(join(root, file), 'utf8'))

/** Every test file, as a path from the project's folder. */
export function listTests() {
  return ['lib', 'db', 'components', 'packages', 'scripts', 'tests']
    .flatMap(folder => list(folder))
    .filter(file => /\.test\.tsx?$/.test(file) && !file.includes('node_modules/'))
    .sort()
}

/** @param {string} file @returns {Kind} */
export function kindOf(file) {
  if (!file.startsWith('tests/') || file.startsWith('tests/chaos/')) return 'pure'
  if (file.startsWith('tests/browser/')) return 'browser'
  if (file.startsWith('tests/long/')) return 'long'
  return needsPages(file) ? 'server' : 'world'
}

/** Whether a test starts a whole server, which serves the built pages. @param {string} file */
export const needsPages = file => file.startsWith('tests/browser/') || file.endsWith('.server.test.ts')

/** @param {string} folder */
function list(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true }).map(
    name => `${folder}/${String(name).replaceAll('\\', '/')}`
  )
}
