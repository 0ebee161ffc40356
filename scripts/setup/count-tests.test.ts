import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { countPlaywright, countRunner, countVitest, failuresOfVitest } from '#scripts/setup/count-tests.mjs'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'waystation-count-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

function report(content: unknown) {
  const file = join(dir, 'report.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

test('a test file that could not be loaded counts as one failed test', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'failed' }] },
    { status: 'passed', assertionResults: [{ status: 'passed' }] }
  ]
  expect(countVitest(report({ numPassedTests: 1, numFailedTests: 1, testResults }))).toEqual({
    passed: 1,
    failed: 2
  })
})

test('what went wrong outside of any browser test counts as failed', () => {
  const stats = { expected: 3, unexpected: 1, flaky: 1 }
  expect(countPlaywright(report({ stats, errors: [{ message: 'no server' }] }))).toEqual({
    passed: 4,
    failed: 2
  })
})

test('a runner that crashed counts as one failed test, with or without a report', () => {
  expect(countRunner(countVitest(join(dir, 'none.json')), 1)).toEqual({ passed: 0, failed: 1 })
  expect(countRunner(countPlaywright(report('{"stats": {')), 137)).toEqual({ passed: 0, failed: 1 })
  expect(countRunner({ passed: 7, failed: 0 }, 1)).toEqual({ passed: 7, failed: 1 })
})

test('a failed test is not counted again for the exit code that it caused', () => {
  expect(countRunner({ passed: 7, failed: 2 }, 1)).toEqual({ passed: 7, failed: 2 })
  expect(countRunner({ passed: 7, failed: 0 }, 0)).toEqual({ passed: 7, failed: 0 })
})

test('what failed is said by its name and the beginning of why, also a file that could not be loaded', () => {
  const testResults = [
    { name: 'a.test.ts', status: 'failed', message: 'SyntaxError: no', assertionResults: [] },
    {
      name: 'b.test.ts',
      status: 'failed',
      assertionResults: [
        { status: 'failed', fullName: 'one is one', failureMessages: ['expected 2 to be 1'] },
        { status: 'passed', fullName: 'two is two', failureMessages: [] }
      ]
    }
  ]
  expect(failuresOfVitest(report({ testResults }))).toEqual([
    'a.test.ts: SyntaxError: no',
    'b.test.ts › one is one: expected 2 to be 1'
  ])
  expect(failuresOfVitest(join(dir, 'none.json'))).toEqual([])
})
