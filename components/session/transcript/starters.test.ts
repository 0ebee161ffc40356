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
    { label: 'Try Weather', text: 'use get_weather {"place":"place","days":2,"unit":"C"}' }
  ])
})

test('a tool without a schema is only named, and the own prompts of an agent come first', () => {
  const tools = [{ name: 'lookup' }, weather]
  expect(startersOf({ tools })[0]).toEqual({ label: 'Try lookup', text: 'use lookup' })
  const starters = [{ label: 'Forecast', text: 'Will it rain?' }]
  expect(startersOf({ tools, starters })).toEqual(starters)
})
