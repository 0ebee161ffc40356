import { expect, test } from 'vitest'
import { nameOf } from './disconnect.ts'

const acme = { service: 'Acme', integration: 'acme' } as Parameters<typeof nameOf>[0]

test('two accounts of one service are distinguished by their names', () => {
  expect(nameOf({ ...acme, slug: 'acme' })).toBe('Acme')
  expect(nameOf({ ...acme, slug: 'acme', account: 'ada' })).toBe('Acme (ada)')
  expect(nameOf({ ...acme, slug: 'acme-work', account: 'ada' })).toBe('Acme (ada, acme-work)')
  expect(nameOf({ ...acme, slug: 'acme-work' })).toBe('Acme (acme-work)')
})
