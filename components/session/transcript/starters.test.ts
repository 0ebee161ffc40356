import { expect, test } from 'vitest'
import { startersOf } from './starters.ts'

const place = { type: 'string' }
const weather = {
  name: 'get_weather',
  title: 'Weather',
  where: 'external',
  inputSchema: {
    type: 'object',
    properties: { place, days: { type: 'integer', minimum: 2 }, unit: { enum: ['C', 'F'] }, note: place },
    required: ['place', 'days', 'unit']
  }
}

test('the prompt of an external tool has its title and valid arguments', () => {
  expect(startersOf({ tools: [weather] })).toEqual([
    { label: 'Weather', text: 'use get_weather {"place":"place","days":2,"unit":"C"}' }
  ])
})

test('a tool without a schema is only named, and the own prompts of an agent come first', () => {
  const tools = [{ name: 'lookup' }, weather]
  expect(startersOf({ tools })[0]).toEqual({ label: 'Use lookup', text: 'use lookup' })
  const starters = [{ label: 'Forecast', text: 'Will it rain?' }]
  expect(startersOf({ tools, starters })).toEqual(starters)
})

test('the arguments of an example have the formats and sizes that the schema requires', () => {
  const inputSchema = {
    properties: {
      at: { type: 'string', format: 'date-time' },
      code: { type: 'string', minLength: 6 },
      tags: { type: 'array', items: { enum: ['red'] }, minItems: 2 },
      share: { type: 'number', exclusiveMinimum: 0, maximum: 0.5 },
      who: { anyOf: [{ type: 'string', format: 'email' }, { type: 'null' }] }
    },
    required: ['at', 'code', 'tags', 'share', 'who']
  }
  const [starter] = startersOf({ tools: [{ name: 'book', inputSchema }] })
  expect(JSON.parse(starter?.text.replace('use book ', '') ?? '')).toEqual({
    at: '2027-03-12T09:00:00Z',
    code: 'code..',
    tags: ['red', 'red'],
    share: 0.5,
    who: 'ana@example.com'
  })
})
