import { expect, test } from 'vitest'
import { JsonSchema } from './agent.ts'

const isAccepted = (json: string) => JsonSchema.safeParse(JSON.parse(json)).success

test('a JSON Schema with a number that JSON cannot store is refused, at any depth', () => {
  expect(isAccepted('{"type":"object","properties":{"n":{"maximum":1e308}}}')).toBe(true)
  expect(isAccepted('{"type":"object","properties":{"n":{"maximum":1e999}}}')).toBe(false)
  expect(isAccepted('{"enum":[[-1e999]]}')).toBe(false)
})

test('a JSON Schema with more than 5,000 objects and lists is refused', () => {
  const withParts = (count: number) => JSON.stringify({ enum: Array.from({ length: count - 2 }, () => []) })
  expect(isAccepted(withParts(5_000))).toBe(true)
  expect(isAccepted(withParts(5_001))).toBe(false)
})
