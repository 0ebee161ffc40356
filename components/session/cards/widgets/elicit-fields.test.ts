import { expect, test } from 'vitest'
import { fieldsOf, filledIn } from './elicit-fields.ts'

test('an unchanged form contains the default of each kind of field', () => {
  // The fields of the conformance scenario `elicitation-sep1034-client-defaults`, and a list of choices.
  const properties = {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
    colors: { type: 'array', items: { type: 'string', enum: ['red', 'green'] }, default: ['green'] }
  }
  const fields = fieldsOf({ schema: { type: 'object', properties }, order: Object.keys(properties) })
  expect(filledIn(fields, {})).toEqual({
    output: {
      name: 'John Doe',
      age: 30,
      score: 95.5,
      status: 'active',
      verified: true,
      colors: ['green']
    }
  })
})

test('a cleared field is omitted, even if it has a default', () => {
  const properties = { name: { type: 'string', default: 'John Doe' } }
  const fields = fieldsOf({ schema: { type: 'object', properties }, order: ['name'] })
  expect(filledIn(fields, { name: '' })).toEqual({ output: {} })
})
