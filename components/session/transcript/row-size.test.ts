import { expect, test } from 'vitest'
import type { Row } from '#components/session/transcript/rows/rows.ts'
import { heightOf } from './row-size.ts'

const common = { key: 'a', at: undefined, messageId: 'a' }
const prose = (text: string): Row => ({ kind: 'prose', part: { type: 'text', text }, ...common })
const person = (text: string): Row => ({
  kind: 'person',
  message: { id: 'a', role: 'user', parts: [{ type: 'text', text }] },
  ...common
})
const words = (length: number) => 'one plain word after another '.repeat(length / 29 + 1).slice(0, length)

// Chromium renders these heights in windows of 1280 and 390 px.
test.each([
  ['a long answer', prose(words(900)), 1016, 350],
  ['a long answer on a phone', prose(words(900)), 390, 558],
  ['a user’s message', person(words(200)), 1016, 118],
  ['a user’s message on a phone', person(words(200)), 390, 140],
  ['a single word', prose('Yes.'), 1016, 38]
])('001-21: the estimated height of %s is close to its rendered height', (_, row, width, height) => {
  expect(Math.abs(heightOf(row, width) - height)).toBeLessThanOrEqual(26)
})

test('001-21: the estimated height depends on the lines of the text and on the width of the page', () => {
  const row = prose('One.\n\nTwo.\nThree.')
  expect(heightOf(row, 1016)).toBe(12 + 3 * 26 + 8)
  const long = prose(words(900))
  expect(heightOf(long, 390)).toBeGreaterThan(heightOf(long, 1016))
  expect(heightOf(long, 1016)).toBeLessThan(heightOf(long, 390))
})
