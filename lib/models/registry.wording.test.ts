import { expect, test } from 'vitest'
import { serverProviders } from './configured.ts'
import { modelFor } from './registry.ts'

test.each([
  ['openai/gpt-5', {}, /OpenAI is not configured.*Settings → Models.*OPENAI_API_KEY/],
  ['openai-compatible/llama', {}, /OPENAI_BASE_URL/],
  ['anthropic/claude', {}, /Anthropic is not configured.*ANTHROPIC_API_KEY/],
  ['none/large', { OPENAI_API_KEY: 'k' }, /no model provider "none".*openai, demo/],
  ['gpt-5', {}, /provider\/model/],
  ['openai/', {}, /provider\/model/]
])('the error for %s says what to do', (spec, environment, message) => {
  expect(() => modelFor(spec, { providers: serverProviders(environment) })).toThrow(message)
})
