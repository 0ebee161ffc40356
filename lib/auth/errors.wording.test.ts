import { expect, test } from 'vitest'
import { demand, type Scope } from '#lib/kernel/scope.ts'
import type { SignIn } from '#lib/kernel/settings/sign-in-ways.ts'
import { identityFromToken } from './sign-in/identity-from-token.ts'
import { ToolRules } from './workspaces/tool-rules.ts'
import { UpdateWorkspace } from './workspaces/workspace.ts'

const many = (n: number, one: unknown) => Array.from({ length: n }, () => one)

test.each([
  [[{ deny: ['a'.repeat(501)] }], 'must have at most 500 characters'],
  [[{ deny: [''] }], 'an empty pattern matches everything'],
  [[{ deny: many(51, 'a') }], 'must have at most 50 patterns'],
  [[{ tool: ' ' }], 'name a tool, or omit this field to match every tool'],
  [many(101, {}), 'must have at most 100 rules']
])('a tool rule says its limit (%#)', (rules, sentence) => {
  expect(ToolRules.safeParse(rules).error?.issues[0]?.message).toBe(sentence)
})

test.each([
  [{ spendCaps: { sessionPerDay: 0 } }, 'must be at least $0.01'],
  [{ spendCaps: { sessionPerDay: 1e9 } }, 'must be at most $1,000,000'],
  [{ spendCaps: { sessionPerDay: '2' } }, 'must be an amount in US dollars, like 2.5'],
  [{ retentionDays: 0 }, 'must be at least 1 day'],
  [{ retentionDays: 4000 }, 'must be at most 3650 days'],
  [{ toolSettings: { timeoutSeconds: 0 } }, 'must be at least 1'],
  [{ toolSettings: { timeoutSeconds: 1e6 } }, 'must be at most 3600'],
  [{ toolSettings: { concurrency: 1.5 } }, 'must be a whole number, like 8'],
  [{ toolSettings: { retry: { multiplier: 'two' } } }, 'must be a number, like 2']
])('a workspace says what fits: %j', (changes, sentence) => {
  const issues = UpdateWorkspace.safeParse(changes).error?.issues ?? []
  expect(JSON.stringify(issues)).toContain(JSON.stringify(sentence))
})

test('what a role or a token does not cover is refused with what it needs', () => {
  const key = { kind: 'key' as const, keyId: 'k', name: 'K', role: 'viewer' as const, workspaceId: 'default' }
  const sentence = (scope: Scope) => () => demand(key, scope)
  expect(sentence('send')).toThrow(
    'This action needs the role operator, but your role is viewer. Ask an owner for access.'
  )
  expect(sentence('own')).toThrow(
    'This action needs the role owner, but your role is viewer. Ask an owner for access.'
  )
})

test('a provider that names no account is told so by its name', () => {
  const way = { provider: 'oidc', kind: 'oidc', name: 'Id', issuer: 'https://id.example' } as SignIn
  expect(() => identityFromToken(way, {})).toThrow('Id did not return an account ID')
})
