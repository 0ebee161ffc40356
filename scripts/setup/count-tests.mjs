import { existsSync, readFileSync } from 'node:fs'

/** @typedef {{ passed: number, failed: number }} Count */

/**
 * Reads what vitest's JSON reporter wrote. A file that could not be loaded has no tests, and counts as one failed.
 *
 * @param {string} file
 * @returns {Count}
 */
export function countVitest(file) {
  const report = read(file)
  if (!report) return { passed: 0, failed: 0 }
  const broken = report.testResults.filter(
    (/** @type {any} */ suite) => suite.status === 'failed' && suite.assertionResults.length === 0
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length }
}

/**
 * What failed in vitest's report, a test each, with the beginning of why: it is said once more at the end of a run,
 * where it can be found without going through everything that the browser's tests have printed since.
 *
 * @param {string} file
 * @returns {string[]}
 */
export function failuresOfVitest(file) {
  const suites = read(file)?.testResults ?? []
  return suites.flatMap((/** @type {any} */ suite) => {
    const failed = suite.assertionResults.filter((/** @type {any} */ test) => test.status === 'failed')
    if (failed.length === 0 && suite.status === 'failed')
      return [`${suite.name}: ${beginning(suite.message)}`]
    return failed.map(
      (/** @type {any} */ test) =>
        `${suite.name} › ${test.fullName}: ${beginning(test.failureMessages.join('\n'))}`
    )
  })
}

/**
 * Reads what Playwright's JSON reporter wrote. Errors outside of any test count as failed.
 *
 * @param {string} file
 * @returns {Count}
 */
export function countPlaywright(file) {
  const report = read(file)
  if (!report) return { passed: 0, failed: 0 }
  const { expected, unexpected, flaky } = report.stats
  return { passed: expected + flaky, failed: unexpected + report.errors.length }
}

/** A runner that ended badly without a failed test to show for it counts as one. @param {Count} count @param {number} code */
export function countRunner(count, code) {
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count
}

/** @param {string | undefined} message */
function beginning(message) {
  return (message ?? '').split('\n').slice(0, 12).join('\n    ')
}

/** @param {string} file */
function read(file) {
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
