import { expect, test } from 'vitest'
import { serverProviders } from './configured.ts'
import { modelsOf } from './workspace-models.ts'

const openai = { OPENAI_API_KEY: 'sk-test' }
const otherServer = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
const acceptedFiles = (spec: string, environment: object, override?: { images?: boolean; files?: boolean }) =>
  modelsOf({ providers: serverProviders({ ...environment }) }).acceptedFiles(spec, override)

test('001-21: attachments: the accepted files depend on provider and model name, and the agent can override them', () => {
  const [all, images, none] = [
    { images: true, documents: true },
    { images: true, documents: false },
    { images: false, documents: false }
  ]
  expect(acceptedFiles('default', {})).toEqual(all)
  expect(acceptedFiles('default', openai)).toEqual(all)
  expect(acceptedFiles('openai/gpt-4o-mini', openai)).toEqual(all)
  expect(acceptedFiles('openai/gpt-3.5-turbo', openai)).toEqual(none)
  for (const name of [
    'gpt-4o',
    'llava:13b',
    'qwen2.5-vl-7b',
    'anthropic/claude-sonnet-4',
    'google/gemini-2.5-pro',
    'o3'
  ])
    expect(acceptedFiles(`openai-compatible/${name}`, otherServer), name).toEqual(images)
  for (const name of ['llama3.1', 'mistral-7b', 'qwen2.5-coder', 'deepseek-r1', 'phi-4', 'foo1'])
    expect(acceptedFiles(`openai-compatible/${name}`, otherServer), name).toEqual(none)
  expect(acceptedFiles('openai-compatible/llama3.1', otherServer, { images: true })).toEqual(images)
  expect(acceptedFiles('default', {}, { files: false })).toEqual(images)
  expect(acceptedFiles('unknown/model', {})).toEqual(none)
})
