import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './root.mjs'

/**
 * The results of a test runner.
 *
 * @typedef {object} Report
 * @property {number} passed the number of tests
 * @property {number} failed the number of tests, and of files that could not be loaded
 * @property {string[]} failures one entry per failed test: its name and the first lines of the reason
 * @property {{ file: string, test: string, reason: string }[]} skipped
 * @property {{ file: string, seconds: number }[]} files
 */

/** Returns a report without tests. @type {() => Report} */
export const emptyReport = () => ({ passed: 0, failed: 0, failures: [], skipped: [], files: [] })

/**
 * Reads the report of `vitest-report.mjs`. A file that could not be loaded has no tests and adds one failed test,
 * and so does an error outside of any test. The title of a skipped test contains the reason: `(needs
 * redis-server)`.
 *
 * @param {string} path
 */
export function readVitest(path) {
  const report = emptyReport()
  const { testResults = [], unhandledErrors = [] } = read(path) ?? {}
  for (const { name, status, message, startTime, endTime, assertionResults } of testResults) {
    const file = relative(root, name)
    report.files.push({ file, seconds: Math.max(0, endTime - startTime) / 1000 })
    if (status === 'failed' && assertionResults.length === 0) {
      report.failed++
      report.failures.push(`${file}: ${shorten(message)}`)
    }
    for (const test of assertionResults)
      if (test.status === 'passed') report.passed++
      else if (test.status === 'failed') {
        report.failed++
        report.failures.push(`${file} › ${test.fullName}: ${shorten(test.failureMessages.join('\n'))}`)
      } else report.skipped.push({ file, test: test.fullName, reason: reasonIn(test.fullName) })
  }
  for (const { file, message } of unhandledErrors) {
    report.failed++
    const where = file === undefined ? 'no test' : `around ${relative(root, file)}`
    report.failures.push(`error outside of a test (${where}): ${shorten(message)}`)
  }
  return report
}

/**
 * Reads the report of Playwright's JSON reporter. An error outside of any test adds one failed test.
 *
 * @param {string} path
 */
export function readPlaywright(path) {
  const report = emptyReport()
  const content = read(path)
  for (const { message } of content?.errors ?? []) {
    report.failed++
    report.failures.push(shorten(message))
  }
  for (const suite of content?.suites ?? []) {
    let seconds = 0
    const file = `tests/browser/${suite.file}`
    for (const { titles, tests } of specsOf(suite, []))
      for (const test of tests) {
        seconds +=
          test.results.reduce(
            (/** @type {number} */ sum, /** @type {any} */ result) => sum + result.duration,
            0
          ) / 1000
        if (test.status === 'expected' || test.status === 'flaky') report.passed++
        else if (test.status === 'skipped')
          report.skipped.push({
            file,
            test: titles,
            reason: test.annotations[0]?.description ?? reasonIn(titles)
          })
        else {
          report.failed++
          const error = test.results.at(-1)?.error?.message
          report.failures.push(`${file} › ${titles}: ${shorten(error)}`)
        }
      }
    report.files.push({ file, seconds })
  }
  return report
}

/**
 * Adds one failed test if the runner exited with an error but reported no failed test.
 *
 * @param {Report} report
 * @param {number} code the runner's exit code
 * @returns {Report}
 */
export function withExitCode(report, code) {
  if (code === 0 || report.failed > 0) return report
  return { ...report, failed: 1, failures: [`A test runner exited with code ${code}.`] }
}

/**
 * Adds up reports. If a file ran several times, its durations are added up too.
 *
 * @param {Report[]} reports
 */
export function addUp(reports) {
  const sum = emptyReport()
  /** @type {Map<string, number>} */
  const seconds = new Map()
  for (const report of reports) {
    sum.passed += report.passed
    sum.failed += report.failed
    sum.failures.push(...report.failures)
    sum.skipped.push(...report.skipped)
    for (const { file, seconds: duration } of report.files)
      seconds.set(file, (seconds.get(file) ?? 0) + duration)
  }
  sum.files = [...seconds]
    .map(([file, total]) => ({ file, seconds: total }))
    .sort((a, b) => b.seconds - a.seconds)
  return sum
}

/**
 * Formats the result of a run: the failures, the skipped tests with reasons, the ten slowest files, and as the last
 * line `N passed, N failed`.
 *
 * @param {Report} report
 * @returns {string}
 */
export function describe({ passed, failed, failures, skipped, files }) {
  /** @type {Map<string, number>} */
  const reasons = new Map()
  for (const { file, reason } of skipped)
    reasons.set(`${file}: ${reason}`, (reasons.get(`${file}: ${reason}`) ?? 0) + 1)
  return [
    ...failures.map(failure => `✗ ${failure}`),
    ...(reasons.size === 0 ? [] : ['Skipped:']),
    ...[...reasons].map(([where, count]) => `  ${count} in ${where}`),
    ...(files.length === 0 ? [] : ['Slowest files:']),
    ...files.slice(0, 10).map(({ file, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${file}`),
    `${passed} passed, ${failed} failed`
  ].join('\n')
}

/** @param {string} title */
const reasonIn = title => /\((needs [^)]+)\)/.exec(title)?.[1] ?? 'no reason given'

/** @param {any} suite @param {string[]} parents @returns {{ titles: string, tests: any[] }[]} */
function specsOf({ specs = [], suites = [] }, parents) {
  return [
    ...specs.map((/** @type {any} */ { title, tests }) => ({
      titles: [...parents, title].join(' › '),
      tests
    })),
    ...suites.flatMap((/** @type {any} */ suite) => specsOf(suite, [...parents, suite.title]))
  ]
}

/**
 * Returns at most 12 lines of 500 characters, because a fuzzer's counterexample can be a line of 1 MB.
 *
 * @param {string} [message]
 */
const shorten = (message = '') =>
  message
    .split('\n', 12)
    .map(line => line.slice(0, 500))
    .join('\n    ')

/** @param {string} path */
function read(path) {
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
