import { expect, test } from 'vitest'
import { countPartTokens } from './count-part-tokens.ts'

test('001-17: the tokens of a message are the tokens of its text and its files', () => {
  const file = (mediaType: string, bytes: number) => ({
    type: 'file' as const,
    mediaType,
    url: `data:${mediaType};base64,${Buffer.alloc(bytes).toString('base64')}`
  })
  expect(countPartTokens([{ type: 'text', text: 'twelve chars' }])).toBe(3)
  expect(countPartTokens([file('image/png', 50), file('image/jpeg', 90_000)])).toBe(200)
  expect(countPartTokens([file('application/pdf', 40_000)])).toBeCloseTo(10_000, -2)
})
