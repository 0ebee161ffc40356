import { ToolRules } from '@waystation/protocol/call/tool-rules.ts'
import { UpdateWorkspace } from '@waystation/protocol/workspace/workspace.ts'
import { expect, test } from 'vitest'
import { demand, type Scope } from '#lib/kernel/scope.ts'
import type { SignIn } from '#lib/kernel/settings/sign-in-providers.ts'
import { identityFromToken } from './sign-in/identity-from-token.ts'

const repeat = (n: number, item: unknown) => Array.from({ length: n }, () => item)

test.each([
  [[{ deny: ['a'.repeat(501)] }], 'must have at most 500 characters'],
  [[{ deny: [''] }], 'an empty pattern matches everything'],
  [[{ deny: repeat(51, 'a') }], 'must have at most 50 patterns'],
  [[{ tool: ' ' }], 'name a tool, or omit this field to match every tool'],
  [repeat(101, {}), 'must have at most 100 rules']
])('the error of a tool rule names the limit (%#)', (rules, sentence) => {
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
  [{ toolSettings: { retry: { multiplier: 'two' } } }, 'must be a number, like 2'],
  [{ outOfBand: { pending: { visible: 501 } } }, 'must be at most 500'],
  [{ outOfBand: { pending: { visible: 71 } } }, 'must be at least the limit of other pending messages'],
  [{ outOfBand: { prompt: { full: 40 } } }, 'must be higher than the number of messages that stay in full'],
  [{ outOfBand: { prompt: { characters: 20.5 } } }, 'must be a whole number, like 50']
])('the error of a workspace setting says which values are valid: %j', (changes, sentence) => {
  const issues = UpdateWorkspace.safeParse(changes).error?.issues ?? []
  expect(JSON.stringify(issues)).toContain(JSON.stringify(sentence))
})

test('an error about a missing permission names the required role', () => {
  const key = { kind: 'key' as const, keyId: 'k', name: 'K', role: 'viewer' as const, workspaceId: 'default' }
  const demandScope = (scope: Scope) => () => demand(key, scope)
  expect(demandScope('send')).toThrow(
    'This action needs the role operator, but your role is viewer. Ask an owner for access.'
  )
  expect(demandScope('own')).toThrow(
    'This action needs the role owner, but your role is viewer. Ask an owner for access.'
  )
})

test('the error of a provider that returns no account names the provider', () => {
  const provider = { provider: 'oidc', kind: 'oidc', name: 'Id', issuer: 'https://id.example' } as SignIn
  expect(() => identityFromToken(provider, {})).toThrow('Id did not return an account ID')
})
