import { expect, test } from 'vitest'
import { parametersOf, schemaOf } from './schema-parameters.ts'

const city = { name: 'city', type: 'string', description: 'A city.', isRequired: true } as const
const days = { name: 'days', type: 'integer', description: '', isRequired: false } as const

test('a list of parameters becomes a schema and the same list again', () => {
  for (const parameters of [[], [city], [days], [city, days]]) {
    expect(parametersOf(schemaOf(parameters))).toEqual(parameters)
  }
  expect(schemaOf([city, days])).toEqual({
    type: 'object',
    properties: { city: { type: 'string', description: 'A city.' }, days: { type: 'integer' } },
    required: ['city']
  })
})

test('a closed schema of zod can be shown as a list, and stays closed', () => {
  const closed = { $schema: 'https://json-schema.org/draft/2020-12/schema', additionalProperties: false }
  const schema = { ...closed, type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const parameters = parametersOf(schema)
  expect(parameters).toEqual([{ ...city, description: '' }])
  expect(schemaOf(parameters ?? [], schema)).toEqual(schema)
})

test('parameters without a name are left out, and of two with the same name the later one is used', () => {
  expect(schemaOf([{ ...days, name: ' ' }, city, { ...city, type: 'number' }])).toEqual({
    type: 'object',
    properties: { city: { type: 'number', description: 'A city.' } },
    required: ['city']
  })
})

test.each([
  'text',
  { type: 'array' },
  { type: 'object', properties: { a: { type: 'array', items: {} } } },
  { type: 'object', properties: { a: { type: 'string', enum: ['x'] } } },
  { type: 'object', properties: { a: { anyOf: [] } } },
  { type: 'object', properties: {}, required: ['a'] },
  { type: 'object', properties: {}, additionalProperties: true },
  { type: 'object', $defs: {} }
])('%j has more than the list can show, so it is edited as JSON', schema => {
  expect(parametersOf(schema)).toBeUndefined()
})
