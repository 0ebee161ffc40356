/**
 * `npm test`: everything that is not there is installed and built; then vitest runs, then the browser's tests. Words
 * narrow it to test files whose path contains one of them (`npm test -- api`); `-t words` to titles. The last line
 * is always `N passed, N failed`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, needsBuild } from './setup/build.mjs'
import { countPlaywright, countRunner, countVitest, failuresOfVitest } from './setup/count-tests.mjs'
import { Fault } from './setup/fault.mjs'
import { install, needsInstall } from './setup/install.mjs'
import { run } from './setup/run.mjs'
import { findNode } from './setup/runtime.mjs'
import { findTests } from './setup/test-files.mjs'

const { words, title } = readArguments(process.argv.slice(2))
const total = { passed: 0, failed: 0 }
/** @type {string[]} */
const failures = []
try {
  await testAll()
} catch (error) {
  total.failed++
  console.error(error instanceof Fault ? error.message : error)
}
for (const failure of failures) console.log(`✗ ${failure}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1

async function testAll() {
  const { unit, browser, needBuild } = findTests(words)
  if (unit.length + browser.length === 0)
    throw new Fault(`No test file has ${words.join(' or ')} in its path.`)
  if (needsInstall()) await install()
  const node = findNode()
  if (needBuild && needsBuild()) {
    console.log('Building…')
    await build(node)
  }
  const reports = mkdtempSync(join(tmpdir(), 'waystation-reports-'))
  try {
    if (unit.length > 0) add(await runVitest(node, unit, join(reports, 'vitest.json')))
    if (browser.length > 0) add(await runPlaywright(node, browser, join(reports, 'playwright.json')))
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
}

/** @param {string} node @param {string[]} files @param {string} report */
async function runVitest(node, files, report) {
  const script = join('node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const filter = words.length > 0 ? files : []
  const titles = title ? ['-t', title, '--passWithNoTests'] : []
  const { code } = await run([node, script, 'run', ...reporters, ...filter, ...titles], { loud: true })
  failures.push(...failuresOfVitest(report))
  return countRunner(countVitest(report), code)
}

/** @param {string} node @param {string[]} files @param {string} report */
async function runPlaywright(node, files, report) {
  const script = join('node_modules', '@playwright', 'test', 'cli.js')
  const filter = words.length > 0 ? files : []
  const titles = title ? ['-g', title, '--pass-with-no-tests'] : []
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const { code } = await run([node, script, 'test', '--reporter=list,json', ...filter, ...titles], {
    loud: true,
    env
  })
  return countRunner(countPlaywright(report), code)
}

/** @param {import('./setup/count-tests.mjs').Count} count */
function add({ passed, failed }) {
  total.passed += passed
  total.failed += failed
}

/** @param {string[]} args */
function readArguments(args) {
  const at = args.indexOf('-t')
  if (at < 0) return { words: args, title: undefined }
  return { words: args.filter((_, index) => index !== at && index !== at + 1), title: args[at + 1] }
}
