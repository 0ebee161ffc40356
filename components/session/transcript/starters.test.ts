import { expect, test } from 'vitest'
import { startersOf } from './starters.ts'

test('a tool is suggested by its title without JSON, and the own prompts of an agent come first', () => {
  const tools = [{ name: 'lookup' }, { name: 'get_weather', title: 'Weather' }]
  expect(startersOf({ tools })).toEqual([
    { label: 'Use lookup', text: 'use lookup' },
    { label: 'Weather', text: 'use get_weather' }
  ])
  const starters = [{ label: 'Forecast', text: 'Will it rain?' }]
  expect(startersOf({ tools, starters })).toEqual(starters)
})
