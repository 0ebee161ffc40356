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

/** @param {string} file */
function read(file) {
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
