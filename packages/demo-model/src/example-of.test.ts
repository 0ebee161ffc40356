import { expect, test } from 'vitest'
import { exampleOf } from './example-of.ts'

test('an example has the required properties, with the formats and sizes that the schema requires', () => {
  const schema = {
    type: 'object',
    properties: {
      place: { type: 'string' },
      note: { type: 'string' },
      at: { type: 'string', format: 'date-time' },
      code: { type: 'string', minLength: 6 },
      tags: { type: 'array', items: { enum: ['red'] }, minItems: 2 },
      share: { type: 'number', exclusiveMinimum: 0, maximum: 0.5 },
      who: { anyOf: [{ type: 'string', format: 'email' }, { type: 'null' }] }
    },
    required: ['place', 'at', 'code', 'tags', 'share', 'who']
  }
  expect(exampleOf(schema)).toEqual({
    place: 'place',
    at: '2027-03-12T09:00:00Z',
    code: 'code..',
    tags: ['red', 'red'],
    share: 0.5,
    who: 'ana@example.com'
  })
})
