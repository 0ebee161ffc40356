import { streamText } from 'ai'
import { expect, test } from 'vitest'
import { replyText } from '#tests/support/fakes/openai-replies.ts'
import { startOpenAIServer } from '#tests/support/fakes/openai-server.ts'
import { serverProviders } from './configured.ts'
import { ModelNotConfigured } from './provider.ts'
import { modelFor, resolveModelSpec } from './registry.ts'
import { modelsOf } from './workspace-models.ts'

const key = { OPENAI_API_KEY: 'sk-test' }
const otherServer = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
const models = (environment: Record<string, string>, defaultModel?: string) => ({
  providers: serverProviders(environment),
  defaultModel
})
const defaultOf = (...settings: Parameters<typeof models>) => resolveModelSpec('default', models(...settings))

test('without a key, the default is the demo model', () => {
  expect(defaultOf({})).toBe('demo/demo')
  expect(defaultOf({ OPENAI_API_KEY: '', OPENAI_BASE_URL: '' })).toBe('demo/demo')
})

test('with keys, the default is the current model of the first provider, or the configured one', () => {
  expect(defaultOf(key)).toBe('openai/gpt-6.1-sol')
  expect(defaultOf({ ...key, MISTRAL_API_KEY: 'k' })).toBe('openai/gpt-6.1-sol')
  expect(defaultOf({ ANTHROPIC_API_KEY: 'k' })).toMatch(/^anthropic\/claude-/)
  expect(defaultOf(key, 'gpt-6-luna')).toBe('openai/gpt-6-luna')
  expect(defaultOf({ ...key, GROQ_API_KEY: 'k' }, 'groq/llama')).toBe('groq/llama')
})

test('the default model of another server can have a slash, also if it looks like a provider', () => {
  expect(defaultOf(otherServer)).toBe('openai/gpt-6.1-sol')
  expect(defaultOf(otherServer, 'meta/llama-4')).toBe('openai/meta/llama-4')
  expect(defaultOf(otherServer, 'anthropic/claude')).toBe('openai/anthropic/claude')
  expect(defaultOf({ ...otherServer, ANTHROPIC_API_KEY: 'k' }, 'anthropic/claude')).toBe('anthropic/claude')
})

test('a default model whose provider has no key is not replaced by another one', () => {
  expect(defaultOf({}, 'anthropic/claude')).toBe('anthropic/claude')
  expect(() => modelFor('default', models({}, 'anthropic/claude'))).toThrow(ModelNotConfigured)
})

test('each model is created once', () => {
  const { model } = modelsOf(models(otherServer))
  expect(model('openai-compatible/llama')).toBe(model('openai-compatible/llama'))
  expect(model('openai-compatible/other').modelId).toBe('other')
})

test('a model ID can contain slashes', () => {
  expect(modelFor('openai-compatible/meta/llama-4', models(otherServer)).modelId).toBe('meta/llama-4')
})

test.each([
  ['openai/gpt-5', {}],
  ['openai-compatible/llama', {}],
  ['openai-compatible/llama', { OPENAI_BASE_URL: 'localhost' }],
  ['azure/gpt', { AZURE_API_KEY: 'k' }],
  ['bedrock/claude', { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'k' }],
  ['mistral/large', key],
  ['none/large', key],
  ['gpt-5', key],
  ['openai/', key]
])('%s with %j is not configured', (spec, environment) => {
  expect(() => modelFor(spec, models(environment))).toThrow(ModelNotConfigured)
})

test('requests use the key, the URL and the fetch function of the settings', async () => {
  await using server = await startOpenAIServer({ script: [replyText('Hello')] })
  const urls: string[] = []
  const providers = serverProviders({ ...key, OPENAI_BASE_URL: server.url }, (input, init) => {
    urls.push(String(input))
    return fetch(input, init)
  })
  expect(await streamText({ model: modelFor('openai/llama', { providers }), prompt: 'Hi' }).text).toBe(
    'Hello'
  )
  expect(urls).toEqual([`${server.url}/chat/completions`])
  expect(server.requests[0]!.headers.authorization).toBe('Bearer sk-test')
})
