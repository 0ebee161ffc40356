import { expect, test } from 'vitest'
import { costOf } from './price.ts'

const million = { inputTokens: 1_000_000, outputTokens: 1_000_000 }

test('a known model costs its list price, and cached input has its own price', () => {
  expect(costOf('openai/gpt-5-mini', million)).toBeCloseTo(2.25)
  const cached = { ...million, cacheRead: 600_000 }
  expect(costOf('openai/gpt-5-mini', cached)).toBeCloseTo(0.4 * 0.25 + 0.6 * 0.025 + 2)
})

test('a dated snapshot costs the same as its model, on any server', () => {
  expect(costOf('openai-compatible/gpt-5-2025-08-07', million)).toBeCloseTo(11.25)
})

test('the agent’s own price takes precedence', () => {
  const price = { inputPerMillion: 1, outputPerMillion: 2 }
  expect(costOf('openai/gpt-5', million, price)).toBeCloseTo(3)
  expect(costOf('demo/demo', million, price)).toBeCloseTo(3)
  expect(costOf('openai/gpt-5', million, { inputPerMillion: 0, outputPerMillion: 0 })).toBe(0)
})

test('an unknown model costs the conservative 3 and 15, and the demo model nothing', () => {
  expect(costOf('openai-compatible/meta/llama-4', million)).toBeCloseTo(18)
  expect(costOf('openai/constructor', million)).toBeCloseTo(18)
  expect(costOf('demo/demo', million)).toBe(0)
})

test('unreported tokens cost nothing, and cached tokens are capped at the input', () => {
  expect(costOf('openai/gpt-5', {})).toBe(0)
  const overstated = { inputTokens: 1_000_000, cacheRead: 5_000_000 }
  expect(costOf('openai/gpt-5', overstated)).toBeCloseTo(0.125)
})

test('input that is written to the cache costs a quarter more, except at the agent’s own price', () => {
  const usage = { inputTokens: 1_000_000, cacheRead: 500_000, cacheWrite: 300_000 }
  expect(costOf('anthropic/claude-opus-5-5', usage)).toBeCloseTo(0.2 * 4 + 0.5 * 0.2 + 0.3 * 5)
  expect(costOf('anthropic/claude-opus-5-5', usage, { inputPerMillion: 1, outputPerMillion: 2 })).toBeCloseTo(
    1
  )
})

test.each([
  'anthropic/claude-sonnet-4-5-20250929',
  'bedrock/eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'vertex/claude-sonnet-4-5@20250929',
  'openrouter/anthropic/claude-sonnet-4.5'
])('%s costs the same as its model at Anthropic', spec => {
  expect(costOf(spec, { ...million, cacheRead: 1_000_000 })).toBeCloseTo(0.3 + 15)
})
