import { streamText } from 'ai'
import { expect, test } from 'vitest'
import { replyText } from '#tests/support/fakes/openai-replies.ts'
import { startOpenAIServer } from '#tests/support/fakes/openai-server.ts'
import { ModelNotConfigured, type ModelProvider } from './provider.ts'
import { cachedModels, modelFor, resolveModelSpec } from './registry.ts'

const key = { openaiApiKey: 'sk-test' }
const otherServer = { openaiBaseUrl: 'http://127.0.0.1:9/v1' }

test('without a key, the default is the demo model', () => {
  expect(modelFor('default', {})).toMatchObject({ provider: 'demo', modelId: 'demo' })
  expect(modelFor('default', { openaiApiKey: '', openaiBaseUrl: '' }).provider).toBe('demo')
})

test('with a key, the default is the current OpenAI model through the Responses API, or the configured one', () => {
  expect(modelFor('default', key)).toMatchObject({ provider: 'openai.responses', modelId: 'gpt-6.1-sol' })
  expect(modelFor('default', { ...key, defaultModel: 'gpt-6-luna' }).modelId).toBe('gpt-6-luna')
})

test('another server is called with chat completions, with or without a key', () => {
  for (const settings of [otherServer, { ...key, ...otherServer }]) {
    for (const spec of ['openai/llama', 'openai-compatible/llama']) {
      expect(modelFor(spec, settings)).toMatchObject({ provider: 'openai-compatible.chat', modelId: 'llama' })
    }
    expect(resolveModelSpec('default', settings)).toBe('openai/gpt-6.1-sol')
  }
})

test('a process creates each model once', () => {
  const modelOf = cachedModels(otherServer)
  expect(modelOf('openai-compatible/llama')).toBe(modelOf('openai-compatible/llama'))
  expect(modelOf('openai-compatible/other').modelId).toBe('other')
})

test('OpenAI’s own hosts, including regional ones, use the Responses API', () => {
  for (const openaiBaseUrl of ['https://api.openai.com/v1', 'https://eu.api.openai.com/v1']) {
    expect(modelFor('openai/gpt-5', { ...key, openaiBaseUrl }).provider).toBe('openai.responses')
  }
  const lookalike = { ...key, openaiBaseUrl: 'https://api.openai.com.example.org/v1' }
  expect(modelFor('openai/gpt-5', lookalike).provider).toBe('openai-compatible.chat')
})

test('a model ID can contain slashes', () => {
  expect(modelFor('openai-compatible/meta/llama-4', otherServer).modelId).toBe('meta/llama-4')
})

test.each([
  ['openai/gpt-5', {}, 'OPENAI_API_KEY'],
  ['openai-compatible/llama', {}, 'OPENAI_BASE_URL'],
  ['openai-compatible/llama', { openaiBaseUrl: 'localhost' }, 'OPENAI_BASE_URL'],
  ['mistral/large', key, undefined],
  ['gpt-5', key, undefined],
  ['openai/', key, undefined],
  ['demo/other', {}, undefined]
])('%s is not configured, and the error names the variable to set', (spec, settings, variable) => {
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

test('the provider of a plugin can be added to the list', () => {
  const plugin: ModelProvider = {
    name: 'plugin:acme',
    model: modelId => ({ ...modelFor('demo/demo', {}), modelId })
  }
  expect(modelFor('plugin:acme/fast', {}, [plugin]).modelId).toBe('fast')
})

test('requests use the key, the URL and the fetch function of the settings', async () => {
  await using server = await startOpenAIServer({ script: [replyText('Hello')] })
  const urls: string[] = []
  const model = modelFor('openai/llama', {
    ...key,
    openaiBaseUrl: server.url,
    fetch: (input, init) => {
      urls.push(String(input))
      return fetch(input, init)
    }
  })
  expect(await streamText({ model, prompt: 'Hi' }).text).toBe('Hello')
  expect(urls).toEqual([`${server.url}/chat/completions`])
  expect(server.requests[0]!.headers.authorization).toBe('Bearer sk-test')
})
