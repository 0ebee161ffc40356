import type { ToolRule } from '@waystation/protocol/call/tool-rules.ts'
import { expect, test } from 'vitest'
import { deniedBy, evaluateRules } from './evaluate-rules.ts'

const find = async (patterns: readonly string[], text: string) => {
  const index = patterns.findIndex(pattern => new RegExp(pattern, 'i').test(text))
  return index === -1 ? null : index
}
const call = { tool: 'shell', parameters: { script: 'rm -rf /', at: 1 } }
const evaluate = (...rules: ToolRule[]) => evaluateRules(rules, call, find)

test('001-15: deny comes before allow, and allow before mode, in both modes', async () => {
  for (const mode of ['auto', 'ask'] as const) {
    expect(await evaluate({ mode, allow: ['rm'], deny: ['rm'] })).toEqual({ is: 'denied', pattern: 'rm' })
    expect(await evaluate({ mode, allow: ['rm'], deny: ['mv'] })).toEqual({ is: 'allowed', pattern: 'rm' })
    expect(await evaluate({ mode, allow: ['ls'], deny: ['mv'] })).toEqual({ is: 'left', mode, named: false })
  }
  expect(await evaluate({ allow: ['rm'] }, { deny: ['rm'] })).toMatchObject({ is: 'denied' })
  expect(await evaluate()).toEqual({ is: 'left' })
})

test('001-15: patterns match the canonical JSON of tool and arguments', async () => {
  const wholeCall = '^\\{"parameters":\\{"at":1,"script":"rm -rf /"\\},"tool":"shell"\\}$'
  expect(await evaluate({ deny: [wholeCall] })).toEqual({ is: 'denied', pattern: wholeCall })
})

test('001-15: rules for another tool are ignored, and a mode for the named tool takes precedence over the first general mode', async () => {
  expect(await evaluate({ tool: 'fetch', deny: ['rm'], allow: ['rm'], mode: 'ask' })).toEqual({ is: 'left' })
  expect(
    await evaluate({ mode: 'ask' }, { tool: 'shell', mode: 'auto' }, { tool: 'shell', mode: 'ask' })
  ).toEqual({
    is: 'left',
    mode: 'auto',
    named: true
  })
  expect(await evaluate({ deny: ['x'] }, { mode: 'ask' }, { mode: 'auto' })).toMatchObject({ mode: 'ask' })
})

test('001-15: if arguments are too long or slow to search, no pattern allows the call, and a deny pattern prevents that it runs', async () => {
  const longCall = { tool: 'shell', parameters: { script: 'a'.repeat(64 * 1024) } }
  const failingFind = async () => {
    throw new Error('It was searched.')
  }
  expect(await evaluateRules([{ deny: ['b'], mode: 'auto' }], longCall, failingFind)).toEqual({
    is: 'unsure'
  })
  expect(await evaluateRules([{ allow: ['a'], mode: 'ask' }], longCall, failingFind)).toMatchObject({
    is: 'left',
    mode: 'ask'
  })
  expect(await deniedBy([{ deny: ['b'] }], longCall, failingFind)).toBeUndefined()
  const timedOutFind = async () => undefined
  expect(await evaluateRules([{ deny: ['b'], allow: ['a'] }], call, timedOutFind)).toEqual({ is: 'unsure' })
  expect(await evaluateRules([{ allow: ['a'], mode: 'ask' }], call, timedOutFind)).toMatchObject({
    is: 'left',
    mode: 'ask'
  })
})
