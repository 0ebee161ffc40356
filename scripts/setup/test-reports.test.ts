import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addUp, describe, readPlaywright, readVitest, withExitCode } from '#scripts/setup/test-reports.mjs'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'waystation-reports-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

function writeReport(content: unknown) {
  const file = join(dir, 'report.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const suite = (file: string, assertionResults: unknown[], rest = {}) => ({
  name: resolve(file),
  status: 'passed',
  startTime: 0,
  endTime: 1500,
  assertionResults,
  ...rest
})
const passed = { status: 'passed', fullName: 'works' }
const failed = { status: 'failed', fullName: 'breaks', failureMessages: ['Error: 1 is not 2\n    at here'] }

test('a test file that could not be loaded adds one failed test', () => {
  const broken = suite('lib/b.test.ts', [], { status: 'failed', message: 'Cannot find module' })
  const testResults = [suite('lib/a.test.ts', [passed, failed], { status: 'failed' }), broken]
  const report = readVitest(writeReport({ testResults }))
  expect(report).toMatchObject({ passed: 1, failed: 2 })
  expect(report.failures).toEqual([
    'lib/a.test.ts › breaks: Error: 1 is not 2\n        at here',
    'lib/b.test.ts: Cannot find module'
  ])
})

test('an error outside of any test adds one failed test, with the file that ran', () => {
  const unhandledErrors = [
    { file: resolve('lib/a.test.ts'), message: 'Error: too late' },
    { message: 'gone' }
  ]
  const report = readVitest(writeReport({ testResults: [suite('lib/a.test.ts', [passed])], unhandledErrors }))
  expect(report).toMatchObject({ passed: 1, failed: 2 })
  expect(report.failures[0]).toMatch(/lib\/a\.test\.ts.*too late/)
  expect(report.failures[1]).toMatch(/gone/)
})

test('an error outside of any browser test adds one failed test', () => {
  const spec = { title: 'opens', tests: [{ status: 'expected', results: [{ duration: 2000 }] }] }
  const suites = [{ file: 'shell/shell.test.ts', specs: [spec] }]
  const report = readPlaywright(writeReport({ suites, errors: [{ message: 'no server' }] }))
  expect(report).toMatchObject({ passed: 1, failed: 1, failures: ['no server'] })
  expect(report.files).toEqual([{ file: 'tests/browser/shell/shell.test.ts', seconds: 2 }])
})

test('the failure of a browser test has its groups, its title and its last error', () => {
  const results = [
    { duration: 1, error: { message: 'first' } },
    { duration: 1, error: { message: 'last' } }
  ]
  const spec = { title: 'opens', tests: [{ status: 'unexpected', results }] }
  const suites = [{ file: 'a.test.ts', suites: [{ title: 'the page', specs: [spec] }] }]
  expect(readPlaywright(writeReport({ suites, errors: [] })).failures).toEqual([
    'tests/browser/a.test.ts › the page › opens: last'
  ])
})

test('a runner that crashed adds one failed test, with or without a report', () => {
  expect(withExitCode(readVitest(join(dir, 'none.json')), 1)).toMatchObject({ passed: 0, failed: 1 })
  expect(withExitCode(readVitest(writeReport('{')), 1)).toMatchObject({ passed: 0, failed: 1 })
})

test('a failed test is not counted twice because of the exit code that it caused', () => {
  const report = readVitest(writeReport({ testResults: [suite('lib/a.test.ts', [failed])] }))
  expect(withExitCode(report, 1).failed).toBe(1)
})

test('the result lists skipped tests with the reason from their title', () => {
  const skipped = [1, 2].map(n => ({ status: 'pending', fullName: `two servers (needs redis-server) ${n}` }))
  const report = readVitest(writeReport({ testResults: [suite('tests/a.test.ts', [...skipped, passed])] }))
  expect(report.passed).toBe(1)
  expect(describe(report)).toContain('2 in tests/a.test.ts: needs redis-server')
})

test('a result ends with the ten slowest files and, as the last line, the counts', () => {
  const files = Array.from({ length: 12 }, (_, at) => ({ file: `tests/${at}.test.ts`, seconds: at }))
  const report = { passed: 5, failed: 0, failures: [], skipped: [], files }
  const lines = describe(addUp([report, report])).split('\n')
  expect(lines).toHaveLength(12)
  expect(lines[1]).toMatch(/22\.0 s {2}tests\/11\.test\.ts/)
  expect(lines.at(-1)).toBe('10 passed, 0 failed')
})
