import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { kindOf, listTests, QUICK } from '#scripts/setup/test-files.mjs'
import { apply } from './find.mjs'

/** @typedef {import('./find.mjs').Mutant} Mutant */
/** @typedef {{ result: 'killed' | 'survived', by: string }} Verdict */

/** The time limit of a stage in milliseconds. A stage that exceeds it hangs, which kills the mutant. */
const timeoutMs = 30 * 60_000

/** The tests closest to a folder of `lib`. For all other folders these are the engine's tests. */
const nearest = /** @type {Record<string, string[]>} */ ({
  calls: ['tests/engine/calls/', 'tests/features/approvals/'],
  auth: ['tests/auth/', 'tests/http/permissions'],
  vault: ['tests/features/connections/'],
  deliveries: ['tests/features/external-agents/', 'tests/features/webhooks/'],
  connections: ['tests/features/connections/']
})

/**
 * Returns the test files for a mutant in stages, the likeliest to fail first: tests of its folder, quick tests, all
 * others.
 *
 * @param {string} file
 */
export function stagesFor(file) {
  const folder = file.split('/')[1] ?? ''
  const near = [`lib/${folder}/`, ...(nearest[folder] ?? ['tests/engine/'])]
  const tests = listTests().filter(test => ['pure', 'integration'].includes(kindOf(test)))
  const rank = (/** @type {string} */ test) =>
    near.some(start => test.startsWith(start))
      ? 0
      : kindOf(test) === 'pure' || QUICK.some(core => test.startsWith(`${core}.`))
        ? 1
        : 2
  return [0, 1, 2].map(stage => tests.filter(test => rank(test) === stage)).filter(stage => stage.length > 0)
}

/** The maximum number of runs of a stage whose failures do not repeat. */
const maxAttempts = 4

/**
 * Tests mutants in one copy of the checkout. A test file kills a mutant if it fails twice with the mutant, the
 * second time alone, and passes without it. On a busy machine, a test can fail for other reasons. `baselineTests` caches
 * which test files pass without a mutant; the others are skipped.
 *
 * @param {string} node
 * @param {string} copy
 * @param {Map<string, boolean>} baselineTests
 */
export const createMutantTester =
  (node, copy, baselineTests) =>
  /** @param {Mutant} mutant @returns {Promise<Verdict>} */
  async mutant => {
    const path = join(copy, mutant.file)
    const source = readFileSync(path, 'utf8')
    /** @param {string[]} files */
    const withMutant = files => {
      writeFileSync(path, apply(source, mutant))
      return runVitest(node, copy, files).finally(() => writeFileSync(path, source))
    }
    for (const stage of stagesFor(mutant.file))
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const files = stage.filter(file => baselineTests.get(file) !== false)
        const failure = await withMutant(files)
        if (failure === undefined) break
        const { test, file } = failure
        if ((await withMutant(file === undefined ? files : [file])) === undefined) continue
        if (file === undefined) return { result: 'killed', by: test }
        if (!baselineTests.has(file))
          baselineTests.set(file, (await runVitest(node, copy, [file])) === undefined)
        if (baselineTests.get(file)) return { result: 'killed', by: `${file} › ${test}` }
      }
    return { result: 'survived', by: '' }
  }

/**
 * Runs test files until the first failure and returns it. The result has no `file` if the run hung or an error
 * belongs to no test.
 *
 * @param {string} node
 * @param {string} cwd
 * @param {string[]} files
 * @returns {Promise<{ file?: string, test: string } | undefined>}
 */
async function runVitest(node, cwd, files) {
  const report = join(cwd, 'mutant-report.json')
  rmSync(report, { force: true })
  const args = [
    'run',
    '--project=pure',
    '--project=integration',
    '--bail=1',
    '--reporter=json',
    `--outputFile=${report}`
  ]
  const child = spawn(node, [join('node_modules', 'vitest', 'vitest.mjs'), ...args, ...files], {
    cwd,
    stdio: 'ignore',
    detached: true
  })
  const stop = () => process.kill(-(child.pid ?? 0), 'SIGKILL')
  // Runs before the listener that removes the copy, because the tests run in the copy.
  process.prependOnceListener('exit', stop)
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    stop()
  }, timeoutMs)
  const code = await new Promise((done, fail) => child.once('error', fail).once('close', done))
  clearTimeout(timer)
  process.off('exit', stop)
  if (timedOut) return { test: 'the run did not end' }
  if (code === 0) return undefined
  return firstFailure(report, cwd) ?? { test: 'an error outside of any test' }
}

/** @param {string} report @param {string} cwd */
function firstFailure(report, cwd) {
  /** @type {{ testResults: { name: string, status: string, message: string, assertionResults: { fullName: string, status: string }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  for (const { name, assertionResults } of testResults) {
    const failed = assertionResults.find(assertion => assertion.status === 'failed')
    if (failed !== undefined) return { file: relative(cwd, name), test: failed.fullName }
  }
  const broken = testResults.find(({ status, message }) => status === 'failed' && message !== '')
  return broken && { file: relative(cwd, broken.name), test: 'it could not be loaded' }
}
