import { expect, test } from 'vitest'
import { linesBetween, placeOf } from './change-words.ts'

test('a place is called what its form calls it', () => {
  expect(placeOf({ path: ['chat', 'tools', 'web-fetch', 'approval'] })).toBe('Tools › web-fetch › approval')
  expect(placeOf({ path: ['chat', 'limits', 'usdPerTurn'] })).toBe('Limits › US$ in a turn')
  expect(placeOf({ path: ['displayName'] })).toBe('Name')
  expect(placeOf({ path: ['chat', 'unheard', 'of'] })).toBe('unheard › of')
})

test('of two texts the lines that differ are shown, with one beside them that does not', () => {
  expect(linesBetween('a\nb\nc\nd', 'a\nb\nX\nd')).toEqual([
    { sign: ' ', text: 'b' },
    { sign: '−', text: 'c' },
    { sign: '+', text: 'X' },
    { sign: ' ', text: 'd' }
  ])
  expect(linesBetween('', 'new')).toEqual([{ sign: '+', text: 'new' }])
  expect(linesBetween('a\na', 'a')).toEqual([
    { sign: ' ', text: 'a' },
    { sign: '−', text: 'a' }
  ])
})
