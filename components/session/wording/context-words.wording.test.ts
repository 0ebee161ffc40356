import { expect, test } from 'vitest'
import { fillOf, fillSentence, fullnessOf, inPercent } from './context-words.ts'

const breakdown = {
  system: 100,
  tools: 50,
  summary: 0,
  user: 30,
  assistant: 10,
  toolResults: 10,
  outOfBand: 0
}
const view = (ratio: number, contextTokens?: number) =>
  fillOf({
    breakdown,
    estimated: 200,
    corrected: 200 * ratio,
    ratio,
    tokens: 50,
    entries: 3,
    shown: [],
    ...(contextTokens === undefined ? {} : { contextTokens })
  })

test('001-17: the context is shown as a warning above 80 % and as a danger above 95 %, but not at exactly these values', () => {
  expect([0, 0.8, 0.801, 0.95, 0.951, 3].map(fullnessOf)).toEqual([
    'fine',
    'fine',
    'warning',
    'warning',
    'danger',
    'danger'
  ])
  expect(fillSentence(view(1, 250))).toBe('Context: 200 of 250 tokens, 80 %')
  expect(fillSentence(view(1, 249))).toBe('Context: 200 of 249 tokens, 80 %, nearly full')
  expect(fillSentence(view(1, 205))).toBe('Context: 200 of 205 tokens, 97 %, about to overflow')
  expect(fillSentence(view(1.5, 205))).toBe('Context: 300 of 205 tokens, 146 %, over the limit')
})

test('001-17: the tokens of each kind are corrected like the total, and shown as shares of the prompt', () => {
  const fill = view(2, 4000)
  expect(fill).toMatchObject({ tokens: 400, limit: 4000, share: 0.1 })
  expect(fill.parts[0]).toEqual({ name: 'Instructions', tokens: 200, share: 0.5 })
  expect(fill.parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(400)
  expect(inPercent(0.001)).toBe('< 1 %')
  expect(view(1).parts[0]?.share).toBe(0.5)
  expect(fillSentence(view(1))).toBe('Context: 200 tokens')
})
