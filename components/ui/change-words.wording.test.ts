import { expect, test } from 'vitest'
import { placeOf } from './change-words.ts'

test('the place of a change has the field names of the form', () => {
  expect(placeOf({ path: ['chat', 'tools', 'web-fetch', 'approval'] })).toBe('Tools › web-fetch › approval')
  expect(placeOf({ path: ['chat', 'limits', 'usdPerTurn'] })).toBe('Limits › US$ per turn')
  expect(placeOf({ path: ['displayName'] })).toBe('Name')
  expect(placeOf({ path: ['chat', 'unheard', 'of'] })).toBe('unheard › of')
})
