import { expect, test } from 'vitest'
import { auditFilterOf, auditPath, auditQuery, noFilter } from './audit-filter.ts'

test('the URL of the audit page selects its filter, and the filter its URL', () => {
  const filter = { action: 'turn.edit' as const, actor: 'Ada & Bob', sessionId: 'order-7' }
  const { searchParams } = new URL(auditPath(filter), 'http://localhost')
  expect(auditFilterOf(Object.fromEntries(searchParams))).toEqual(filter)
  expect(auditPath(noFilter)).toBe('/settings/audit')
})

test('unknown, repeated and overlong values in the URL do not reach the server', () => {
  const filter = auditFilterOf({ action: 'constructor', actor: ['a', 'b'], sessionId: 'x'.repeat(500) })
  expect(filter).toEqual({ action: '', actor: '', sessionId: 'x'.repeat(128) })
  expect(auditQuery({ ...noFilter, actor: '  ' })).toEqual({})
})
