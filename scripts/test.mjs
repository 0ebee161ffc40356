/**
 * `npm test` runs every test but the long ones, `npm run test:quick` the pure tests and a core of the others,
 * `npm run test:long` the long ones. Each installs and builds what is missing first. Words narrow a run to test files
 * whose path contains one of them (`npm test -- engine/calls`), `-t words` to titles. `--shard 1/2` runs a part,
 * `--repeat N` everything N times, `--changed [commit]` the tests for what changed. The last line is always
 * `N passed, N failed`.
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

/** Vitest's reporter for {@link readVitest}. */
const wholeReport = './scripts/setup/vitest-report.mjs'
const started = Date.now()
const reports = mkdtempSync(join(tmpdir(), 'waystation-reports-'))
let runs = 0
/** @type {Report[]} */
const found = []
try {
  await testAll(readArguments(process.argv.slice(2)))
} catch (error) {
  console.error(error instanceof Fault ? error.message : error)
  found.push({ passed: 0, failed: 1, failures: [], skipped: [], files: [] })
} finally {
  rmSync(reports, { recursive: true, force: true })
}
const total = addUp(found)
console.log(`\nThe run took ${Math.round((Date.now() - started) / 1000)} s.`)
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
    if (some.length > 0) found.push(await runTests(node, runner, some, { mode, title, shard }))
  }
  // The pages are built while the tests run that do without them.
  const built =
    withPages.length > 0 && needsBuild() ? build(node).then(undefined, error => ({ error })) : undefined
  if (built !== undefined) console.log('Building the pages…')
  for (let time = 1; time <= repeat; time++) {
    if (repeat > 1) console.log(`\nRun ${time} of ${repeat}`)
    await test('vitest', without)
    const failed = await built
    if (failed !== undefined) throw failed.error
    await test('vitest', server)
    await test('playwright', browser)
  }
  if (mode === 'long' && words.length === 0 && title === undefined && shard === undefined) await cover(node)
}

/**
 * Shows which lines the pure tests and the worlds run, by folder, and writes the lines to `coverage/`. It runs those tests
 * again; they count.
 *
 * @param {string} node
 */
async function cover(node) {
  const report = join(reports, 'coverage.json')
  const script = join('node_modules', 'vitest', 'vitest.mjs')
  const projects = ['--project=pure', '--project=world']
  const { code } = await run(
    [node, script, 'run', '--coverage', '--reporter=dot', `--reporter=${wholeReport}`, ...projects],
    { loud: true, env: { WAYSTATION_TEST_REPORT: report } }
  )
  found.push(withExitCode(readVitest(report), code))
}

/**
 * Runs some files with a runner and returns its report.
 *
 * @param {string} node
 * @param {'vitest' | 'playwright'} runner
 * @param {string[]} files
 * @param {Pick<import('./setup/test-arguments.mjs').Wanted, 'mode' | 'title' | 'shard'>} wanted
 */
async function runTests(node, runner, files, { mode, title, shard }) {
  /** @type {Record<string, string>} */
  const env = mode === 'long' ? { WAYSTATION_TEST_LONG: '1' } : {}
  const report = join(reports, `${runner}-${++runs}.json`)
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
