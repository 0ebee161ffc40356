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

test('tools of the agent come before built-in ones, and a prompt names an approval only if the tool asks', () => {
  const tools = [
    { name: 'web-fetch' },
    { name: 'deploy', title: 'Deploy', approval: 'ask' as const },
    { name: 'canary', approval: 'auto' as const }
  ]
  const suggested = startersOf({ tools })
  expect(suggested.map(({ text }) => text)).toEqual(['use deploy', 'use canary', 'fetch example.com'])
  expect(suggested.map(({ label }) => label.includes('approval'))).toEqual([true, false, false])
})
