import { readFileSync, writeFileSync } from 'node:fs'
import { JsonReporter } from 'vitest/node'

const path = process.env.WAYSTATION_TEST_REPORT ?? ''

/**
 * Writes Vitest's JSON report to `WAYSTATION_TEST_REPORT`. Adds the errors outside of any test, which Vitest leaves
 * out although they fail a run.
 */
export default class WholeReport extends JsonReporter {
  constructor() {
    super({ outputFile: path })
  }

  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest').SerializedError[]} [errors]
   * @override
   */
  async onTestRunEnd(modules, errors = []) {
    await super.onTestRunEnd(modules)
    const unhandledErrors = errors.map(({ stack, message, VITEST_TEST_PATH: file }) => ({
      file,
      message: stack ?? message
    }))
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), unhandledErrors }))
  }
}
