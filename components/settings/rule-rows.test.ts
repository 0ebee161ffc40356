import { canonicalJson } from '@waystation/protocol/canonical-json.ts'
import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { type Condition, conditionOf, patternOf } from './rule-patterns.ts'
import { rowsOf, rulesOf } from './rule-rows.ts'

const matches = (condition: Condition, decision: 'deny' | 'allow', parameters: object) =>
  RE2JS.compile(patternOf(condition, decision), RE2JS.CASE_INSENSITIVE).test(
    canonicalJson({ tool: 'web-fetch', parameters }) ?? ''
  )

test('a condition becomes a pattern, and the pattern the same condition again', () => {
  const values = ['https://docs.example.com/a?b=(c)', 'say "hi" \\ {x}', '42', 'ä\n']
  for (const decision of ['deny', 'allow'] as const) {
    for (const kind of ['contains', 'starts', 'is'] as const)
      for (const value of values) {
        const condition = { kind, argument: 'a "b".c', value }
        expect(conditionOf(patternOf(condition, decision), decision)).toEqual(condition)
        expect(matches(condition, decision, { 'a "b".c': value })).toBe(true)
        expect(matches(condition, decision, { other: value })).toBe(false)
      }
    for (const pattern of ['rm', '"url":', '"url":"(a|b)', '^\\{"parameters":.*$', '"a":(?:"x"|y[,}])'])
      expect(conditionOf(pattern, decision)).toEqual({ kind: 'pattern', pattern })
  }
  expect(conditionOf('^', 'deny')).toEqual({ kind: 'any' })
  expect(conditionOf('^', 'allow')).toEqual({ kind: 'pattern', pattern: '^' })
})

test('conditions compare whole values or parts of them', () => {
  const url = (kind: 'contains' | 'starts' | 'is', value: string) => ({ kind, argument: 'url', value })
  for (const decision of ['deny', 'allow'] as const) {
    expect(matches(url('is', 'a'), decision, { url: 'ab' })).toBe(false)
    expect(matches(url('is', 'a'), decision, { url: 'a, b' })).toBe(false)
    expect(matches(url('is', '5'), decision, { url: 5 })).toBe(true)
    expect(matches(url('is', '5'), decision, { url: 55 })).toBe(false)
    expect(matches(url('starts', 'b'), decision, { url: 'ab' })).toBe(false)
    expect(matches(url('contains', 'b'), decision, { url: 'a"b' })).toBe(true)
    expect(matches(url('contains', 'b'), decision, { a: 1, more: 'b', url: 'a' })).toBe(false)
  }
})

test('a nested argument, or one in other letters, can be denied but never allows a call', () => {
  const condition = { kind: 'is', argument: 'url', value: 'good' } as const
  for (const parameters of [
    { a: { url: 'good' }, url: 'bad' },
    { URL: 'good', url: 'bad' },
    { a: '{"url":"good"}', url: 'bad' },
    { a: [{ url: 'good' }], url: 'bad' }
  ])
    expect(matches(condition, 'allow', parameters)).toBe(false)
  expect(matches(condition, 'allow', { a: 'x{', b: 1.5, c: null, url: 'good' })).toBe(true)
  expect(matches(condition, 'deny', { a: { url: 'good' } })).toBe(true)
})

test('saved rules become rows and the same rules again', () => {
  const rules = [
    { deny: ['\\.internal\\b', '169\\.254\\.'] },
    { tool: 'web-fetch', deny: ['a'], allow: ['b', '^'], mode: 'ask' as const },
    { tool: 'web-fetch', mode: 'auto' as const },
    { tool: 'shell', allow: ['x'] },
    { tool: 'shell', deny: ['y'] },
    { mode: 'auto' as const }
  ]
  const { rules: again, paths } = rulesOf(rowsOf(rules))
  expect(again).toEqual(rules)
  expect(paths[1]).toBe('toolRules.0.deny.1')
})
