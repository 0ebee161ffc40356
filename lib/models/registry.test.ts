import { streamText } from 'ai'
import { expect, test } from 'vitest'
import { says } from '#tests/support/fakes/openai-replies.ts'
import { startOpenAIServer } from '#tests/support/fakes/openai-server.ts'
import { ModelNotConfigured, type ModelProvider } from './provider.ts'
import { modelFor, resolveModelSpec } from './registry.ts'

const key = { openaiApiKey: 'sk-test' }
const elsewhere = { openaiBaseUrl: 'http://127.0.0.1:9/v1' }

test('with no key at all the default is the demo model', () => {
  expect(modelFor('default', {})).toMatchObject({ provider: 'demo', modelId: 'demo' })
  expect(modelFor('default', { openaiApiKey: '', openaiBaseUrl: '' }).provider).toBe('demo')
})

test('with a key the default is a current OpenAI model through the Responses API, or the one the settings name', () => {
  expect(modelFor('default', key)).toMatchObject({ provider: 'openai.responses', modelId: 'gpt-6.1-sol' })
  expect(modelFor('default', { ...key, defaultModel: 'gpt-6-luna' }).modelId).toBe('gpt-6-luna')
})

test('a server of somebody else is spoken to in chat completions, with or without a key', () => {
  for (const settings of [elsewhere, { ...key, ...elsewhere }]) {
    for (const spec of ['openai/llama', 'openai-compatible/llama']) {
      expect(modelFor(spec, settings)).toMatchObject({ provider: 'openai-compatible.chat', modelId: 'llama' })
    }
    expect(resolveModelSpec('default', settings)).toBe('openai/gpt-6.1-sol')
  }
})

test('OpenAI’s own address, regional ones too, is not somebody else', () => {
  for (const openaiBaseUrl of ['https://api.openai.com/v1', 'https://eu.api.openai.com/v1']) {
    expect(modelFor('openai/gpt-5', { ...key, openaiBaseUrl }).provider).toBe('openai.responses')
  }
  const lookalike = { ...key, openaiBaseUrl: 'https://api.openai.com.example.org/v1' }
  expect(modelFor('openai/gpt-5', lookalike).provider).toBe('openai-compatible.chat')
})

test('the model’s id may contain slashes', () => {
  expect(modelFor('openai-compatible/meta/llama-4', elsewhere).modelId).toBe('meta/llama-4')
})

test.each([
  ['openai/gpt-5', {}, 'OPENAI_API_KEY'],
  ['openai-compatible/llama', {}, 'OPENAI_BASE_URL'],
  ['openai-compatible/llama', { openaiBaseUrl: 'localhost' }, 'OPENAI_BASE_URL'],
  ['mistral/large', key, undefined],
  ['gpt-5', key, undefined],
  ['openai/', key, undefined],
  ['demo/other', {}, undefined]
])('%s that cannot be used is not configured, and names the variable to set', (spec, settings, variable) => {
  const thrown = (() => {
    try {
      return modelFor(spec, settings)
    } catch (error) {
      return error
    }
  })()
  expect(thrown).toBeInstanceOf(ModelNotConfigured)
  expect(thrown).toMatchObject({ code: 'NOT_CONFIGURED', variable })
})

test('a plugin’s provider is one more in the list', () => {
  const plugin: ModelProvider = {
    name: 'plugin:acme',
    model: modelId => ({ ...modelFor('demo/demo', {}), modelId })
  }
  expect(modelFor('plugin:acme/fast', {}, [plugin]).modelId).toBe('fast')
})

test('the key and the address of the settings are used, and requests leave through the given fetch', async () => {
  await using server = await startOpenAIServer({ script: [says('Hello')] })
  const asked: string[] = []
  const model = modelFor('openai/llama', {
    ...key,
    openaiBaseUrl: server.url,
    fetch: (input, init) => {
      asked.push(String(input))
      return fetch(input, init)
    }
  })
  expect(await streamText({ model, prompt: 'Hi' }).text).toBe('Hello')
  expect(asked).toEqual([`${server.url}/chat/completions`])
  expect(server.requests[0]!.headers.authorization).toBe('Bearer sk-test')
})
