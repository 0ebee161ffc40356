import { expect, test } from 'vitest'
import { ModelNotConfigured } from './provider.ts'
import { modelFor } from './registry.ts'

const key = { openaiApiKey: 'sk-test' }

test.each([
  ['openai/gpt-5', {}, /Set OPENAI_API_KEY/, 'OPENAI_API_KEY'],
  ['openai-compatible/llama', {}, /Set OPENAI_BASE_URL/, 'OPENAI_BASE_URL'],
  ['openai-compatible/llama', { openaiBaseUrl: 'localhost' }, /not a URL/, 'OPENAI_BASE_URL'],
  ['mistral/large', key, /no model provider "mistral".*demo, openai, openai-compatible/, undefined],
  ['gpt-5', key, /provider\/model/, undefined],
  ['openai/', key, /provider\/model/, undefined],
  ['demo/other', {}, /Use demo\/demo/, undefined]
])('the error for %s says what to do', (spec, settings, message, variable) => {
  const thrown = (() => {
    try {
      return modelFor(spec, settings)
    } catch (error) {
      return error
    }
  })()
  expect(thrown).toBeInstanceOf(ModelNotConfigured)
  expect(thrown).toMatchObject({ code: 'NOT_CONFIGURED', message: expect.stringMatching(message), variable })
})
