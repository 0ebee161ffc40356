import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Fault } from '#scripts/setup/fault.mjs'
import { run } from '#scripts/setup/run.mjs'

/**
 * Runs test files in a copy of the checkout. Returns the files that failed.
 *
 * @param {string} copy
 * @param {string[]} files
 * @returns {Promise<Set<string>>}
 */
export async function runTests(copy, files) {
  const folder = mkdtempSync(join(tmpdir(), 'waystation-reports-'))
  const report = join(folder, 'report.json')
  try {
    const vitest = join('node_modules', 'vitest', 'vitest.mjs')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    await run([process.execPath, vitest, 'run', ...reporters, ...files], { cwd: copy, loud: true })
    /** @type {{ testResults: { name: string, status: string }[] }} */
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
    if (testResults.length === 0) throw new Fault('Vitest found no test file.')
    const failed = testResults.filter(({ status }) => status === 'failed')
    return new Set(failed.map(({ name }) => relative(copy, name).replaceAll('\\', '/')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
