import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkValues } from './check-values.ts'

const schema = z.object({
  name: z.string().min(1),
  url: z.url(),
  count: z.int().min(2).max(9),
  days: z.number('must be a number of days').optional(),
  list: z.array(z.string()).default([])
})

test('valid values have no errors', () => {
  expect(checkValues(schema, { name: 'a', url: 'https://acme.example', count: 3 })).toEqual({})
})

test('an error names the path of the value, and an empty value is missing', () => {
  const errors = checkValues(schema, { name: '', count: 'many', list: '[{' })
  expect(Object.keys(errors).sort()).toEqual(['count', 'list', 'name', 'url'])
  expect(errors.name).toBe(errors.url)
  expect(errors.count).not.toBe(errors.name)
})

test('a wrong type is described by the expected type', () => {
  const types = z.object({ count: z.int(), on: z.boolean(), group: z.object({}), rate: z.number() })
  const wrong = checkValues(types, { count: 1.5, on: 'x', group: '{', rate: 'x' })
  expect(new Set(Object.values(wrong)).size).toBe(4)
  expect(wrong.group).toMatch(/line 1/)
})

test('a message of the schema has precedence', () => {
  const values = { name: 'a', url: 'https://acme.example', count: 3, days: 'two' }
  expect(checkValues(schema, values)).toEqual({ days: 'must be a number of days' })
})

test('an error of a JSON field names the line', () => {
  const wrong = checkValues(schema, { name: 'a', url: 'https://acme.example', count: 3, list: '[\n1\n2]' })
  expect(wrong.list).toMatch(/line 3/)
})
