/**
 * `npm test` runs all tests except the long ones. `npm run test:quick` runs the pure tests and a core of the
 * others, and `npm run test:long` runs the long tests. Each command first installs and builds what is missing.
 *
 * - Words select test files whose path contains one of them (`npm test -- engine/calls`).
 * - `-t words` selects titles.
 * - `--shard 1/2` runs a part of the files.
 * - `--repeat N` runs everything N times.
 * - `--changed [commit]` runs the tests for the changes since a commit.
 *
 * The last line of the output is always `N passed, N failed`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, needsBuild } from './setup/build.mjs'
import { findChangedTests } from './setup/changed-tests.mjs'
import { Fault } from './setup/fault.mjs'
import { install, needsInstall } from './setup/install.mjs'
import { run } from './setup/run.mjs'
import { findNode } from './setup/runtime.mjs'
import { readArguments } from './setup/test-arguments.mjs'
import { findTests, kindOf, needsPages } from './setup/test-files.mjs'
import { addUp, describe, readPlaywright, readVitest, withExitCode } from './setup/test-reports.mjs'

/** @typedef {import('./setup/test-reports.mjs').Report} Report */

/** The Vitest reporter whose output {@link readVitest} reads. */
const wholeReport = './scripts/setup/vitest-report.mjs'
const startedAt = Date.now()
const reportFolder = mkdtempSync(join(tmpdir(), 'waystation-reports-'))
let runs = 0
/** @type {Report[]} */
const reports = []
try {
  await testAll(readArguments(process.argv.slice(2)))
} catch (error) {
  console.error(error instanceof Fault ? error.message : error)
  reports.push({ passed: 0, failed: 1, failures: [], skipped: [], files: [] })
} finally {
  rmSync(reportFolder, { recursive: true, force: true })
}
const total = addUp(reports)
console.log(`\nThe run took ${Math.round((Date.now() - startedAt) / 1000)} s.`)
console.log(describe(total))
process.exitCode = total.failed === 0 ? 0 : 1

/** @param {import('./setup/test-arguments.mjs').Wanted} wanted */
async function testAll({ mode, words, title, shard, repeat, changed }) {
  const files =
    changed === undefined
      ? findTests(mode, words)
      : (await findChangedTests(changed)).filter(
          file => words.length === 0 || words.some(word => file.includes(word))
        )
  if (files.length === 0) throw new Fault(`No test file has ${words.join(' or ')} in its path.`)
  if (needsInstall()) await install()
  const node = findNode()
  const [withPages, without] = [files.filter(needsPages), files.filter(file => !needsPages(file))]
  const [browser, server] = [
    withPages.filter(file => kindOf(file) === 'browser'),
    withPages.filter(file => kindOf(file) !== 'browser')
  ]
  /** @param {'vitest' | 'playwright'} runner @param {string[]} some */
  const test = async (runner, some) => {
    if (some.length > 0) reports.push(await runTests(node, runner, some, { mode, title, shard }))
  }
  // Builds the pages while the tests that do not need them run.
  const pagesBuilt =
    withPages.length > 0 && needsBuild() ? build(node).then(undefined, error => ({ error })) : undefined
  if (pagesBuilt !== undefined) console.log('Building the pages…')
  for (let runNumber = 1; runNumber <= repeat; runNumber++) {
    if (repeat > 1) console.log(`\nRun ${runNumber} of ${repeat}`)
    await test('vitest', without)
    const failed = await pagesBuilt
    if (failed !== undefined) throw failed.error
    await test('vitest', server)
    await test('playwright', browser)
  }
  if (mode === 'long' && words.length === 0 && title === undefined && shard === undefined) await cover(node)
}

/**
 * Measures which lines the pure tests and the integration tests run, prints the coverage by folder, and writes the lines
 * to `coverage/`. It runs these tests again and includes them in the result.
 *
 * @param {string} node
 */
async function cover(node) {
  const report = join(reportFolder, 'coverage.json')
  const script = join('node_modules', 'vitest', 'vitest.mjs')
  const projects = ['--project=pure', '--project=integration']
  const { code } = await run(
    [node, script, 'run', '--coverage', '--reporter=dot', `--reporter=${wholeReport}`, ...projects],
    { loud: true, env: { WAYSTATION_TEST_REPORT: report } }
  )
  reports.push(withExitCode(readVitest(report), code))
}

/**
 * Runs test files with a runner and returns its report.
 *
 * @param {string} node
 * @param {'vitest' | 'playwright'} runner
 * @param {string[]} files
 * @param {Pick<import('./setup/test-arguments.mjs').Wanted, 'mode' | 'title' | 'shard'>} wanted
 */
async function runTests(node, runner, files, { mode, title, shard }) {
  /** @type {Record<string, string>} */
  const env = mode === 'long' ? { WAYSTATION_TEST_LONG: '1' } : {}
  const report = join(reportFolder, `${runner}-${++runs}.json`)
  const part = shard === undefined ? [] : [`--shard=${shard}`]
  if (runner === 'vitest') {
    const script = join('node_modules', 'vitest', 'vitest.mjs')
    const reporters = ['--reporter=default', `--reporter=${wholeReport}`]
    const titles = title === undefined ? [] : ['-t', title]
    const args = ['run', '--passWithNoTests', ...reporters, ...part, ...titles, ...files]
    const { code } = await run([node, script, ...args], {
      loud: true,
      env: { ...env, WAYSTATION_TEST_REPORT: report }
    })
    return withExitCode(readVitest(report), code)
  }
  const script = join('node_modules', '@playwright', 'test', 'cli.js')
  const titles = title === undefined ? [] : ['-g', title]
  const args = ['test', '--reporter=list,json', '--pass-with-no-tests', ...part, ...titles, ...files]
  const { code } = await run([node, script, ...args], {
    loud: true,
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  })
  return withExitCode(readPlaywright(report), code)
}
