import { expect, test } from 'vitest'
import { findTests, kindOf, listTests, needsPages, QUICK } from '#scripts/setup/test-files.mjs'

test('the folder of every test determines how the test runs', () => {
  const kinds = new Set(listTests().map(kindOf))
  expect([...kinds].sort()).toEqual(['browser', 'integration', 'long', 'pure', 'server'])
  expect(kindOf('lib/kernel/settings/env.test.ts')).toBe('pure')
  expect(kindOf('tests/engine/when-busy.test.ts')).toBe('integration')
  expect(kindOf('tests/infra/logs.server.test.ts')).toBe('server')
})

test('a run without words skips the long tests, and words can select them', () => {
  expect(findTests('all', []).filter(file => kindOf(file) === 'long')).toEqual([])
  expect(findTests('all', ['long/chaos']).length).toBeGreaterThan(1)
})

test('the quick run contains every core file and needs neither the built pages nor a browser', () => {
  const quick = findTests('quick', [])
  for (const core of QUICK) expect(quick).toContain(`${core}.test.ts`)
  expect(quick.filter(needsPages)).toEqual([])
})

test('the long run contains the long tests and the browser tests that check more variants of pages', () => {
  const kinds = new Set(findTests('long', []).map(kindOf))
  expect([...kinds].sort()).toEqual(['browser', 'long'])
  expect(findTests('long', [])).toContain('tests/browser/shell/accessibility.test.ts')
  expect(findTests('long', [])).not.toContain('tests/browser/shell/shell.test.ts')
})
