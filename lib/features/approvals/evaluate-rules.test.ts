import { expect, test } from 'vitest'
import type { ToolRule } from '#lib/protocol/call/tool-rules.ts'
import { deniedBy, evaluateRules } from './evaluate-rules.ts'

const find = async (patterns: readonly string[], text: string) => {
  const place = patterns.findIndex(pattern => new RegExp(pattern, 'i').test(text))
  return place === -1 ? null : place
}
const call = { tool: 'shell', parameters: { script: 'rm -rf /', at: 1 } }
const of = (...rules: ToolRule[]) => evaluateRules(rules, call, find)

test('001-15: deny comes before allow, and allow before mode, in both modes', async () => {
  for (const mode of ['auto', 'ask'] as const) {
    expect(await of({ mode, allow: ['rm'], deny: ['rm'] })).toEqual({ is: 'denied', pattern: 'rm' })
    expect(await of({ mode, allow: ['rm'], deny: ['mv'] })).toEqual({ is: 'allowed', pattern: 'rm' })
    expect(await of({ mode, allow: ['ls'], deny: ['mv'] })).toEqual({ is: 'left', mode, named: false })
  }
  expect(await of({ allow: ['rm'] }, { deny: ['rm'] })).toMatchObject({ is: 'denied' })
  expect(await of()).toEqual({ is: 'left' })
})

test('001-15: patterns are held against the canonical JSON of tool and arguments', async () => {
  const whole = '^\\{"parameters":\\{"at":1,"script":"rm -rf /"\\},"tool":"shell"\\}$'
  expect(await of({ deny: [whole] })).toEqual({ is: 'denied', pattern: whole })
})

test('001-15: rules that name another tool do not count; of modes the named tool’s comes first, then the first', async () => {
  expect(await of({ tool: 'fetch', deny: ['rm'], allow: ['rm'], mode: 'ask' })).toEqual({ is: 'left' })
  expect(await of({ mode: 'ask' }, { tool: 'shell', mode: 'auto' }, { tool: 'shell', mode: 'ask' })).toEqual({
    is: 'left',
    mode: 'auto',
    named: true
  })
  expect(await of({ deny: ['x'] }, { mode: 'ask' }, { mode: 'auto' })).toMatchObject({ mode: 'ask' })
})

test('001-15: what is too long to search, or takes too long, is allowed by no pattern; with a deny pattern it is not let through', async () => {
  const long = { tool: 'shell', parameters: { script: 'a'.repeat(64 * 1024) } }
  const never = async () => {
    throw new Error('It was searched.')
  }
  expect(await evaluateRules([{ deny: ['b'], mode: 'auto' }], long, never)).toEqual({ is: 'unsure' })
  expect(await evaluateRules([{ allow: ['a'], mode: 'ask' }], long, never)).toMatchObject({
    is: 'left',
    mode: 'ask'
  })
  expect(await deniedBy([{ deny: ['b'] }], long, never)).toBeUndefined()
  const late = async () => undefined
  expect(await evaluateRules([{ deny: ['b'], allow: ['a'] }], call, late)).toEqual({ is: 'unsure' })
  expect(await evaluateRules([{ allow: ['a'], mode: 'ask' }], call, late)).toMatchObject({
    is: 'left',
    mode: 'ask'
  })
})
