import { ChatConfig, ExternalConfig } from '@waystation/protocol/agent/agent.ts'
import { expect, test } from 'vitest'
import { placeOf } from './change-words.ts'

test('the place of a change has the field names of the form', () => {
  expect(placeOf({ path: ['chat', 'tools', 'web-fetch', 'approval'] })).toBe('Tools › web-fetch › approval')
  expect(placeOf({ path: ['chat', 'limits', 'usdPerTurn'] })).toBe('Limits › US$ per turn')
  expect(placeOf({ path: ['displayName'] })).toBe('Name')
  expect(placeOf({ path: ['chat', 'handler'] })).toBe('Handler')
  expect(placeOf({ path: ['chat', 'parameters', 'topP'] })).toBe('Model parameters › top P')
  expect(placeOf({ path: ['outOfBand'] })).toBe('Signals')
  expect(placeOf({ path: ['chat', 'unheard', 'of'] })).toBe('unheard › of')
})

test('each field of a configuration has a plain name', () => {
  const fields = [...Object.keys(ChatConfig.shape), ...Object.keys(ExternalConfig.shape)]
  expect(fields.filter(field => placeOf({ path: ['chat', field] }) === field)).toEqual([])
})
