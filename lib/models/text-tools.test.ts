import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { textTools } from '@waystation/text-tools'
import { expect, test } from 'vitest'
import { serverProviders } from '#lib/models/configured.ts'
import { redactModel } from '#lib/models/redact-model.ts'
import { modelFor } from '#lib/models/registry.ts'
import { replyText } from '#tests/support/fakes/openai-replies.ts'
import { startOpenAIServer } from '#tests/support/fakes/openai-server.ts'

const answer = 'I look.\n<tool_use name="look">{at: 1}</tool_use>'
const prompt: LanguageModelV4CallOptions['prompt'] = [
  { role: 'user', content: [{ type: 'text', text: 'Hi' }] }
]
const tools: LanguageModelV4CallOptions['tools'] = [
  { type: 'function', name: 'look', inputSchema: { type: 'object' } }
]

/** Asks a model that gives this answer. Returns its result and the request that the server received. */
async function ask(options: Partial<LanguageModelV4CallOptions>) {
  await using server = await startOpenAIServer({ script: [replyText(answer)] })
  const model = textTools(
    modelFor('openai/x', { providers: serverProviders({ OPENAI_BASE_URL: server.url }) })
  ) as LanguageModelV4
  const { content, finishReason } = await model.doGenerate({ prompt, ...options })
  return { content, reason: finishReason.unified, body: server.requests[0]?.body }
}

test('001-14: an answer that does not stream is read the same way', async () => {
  const { content, reason, body } = await ask({ tools })
  expect(content).toMatchObject([
    { type: 'text', text: 'I look.' },
    { type: 'tool-call', toolName: 'look', input: '{"at":1}' }
  ])
  expect(reason).toBe('tool-calls')
  expect(body).not.toHaveProperty('tools')
  expect(JSON.stringify(body?.messages)).toContain('look: ')
})

test('001-14: without tools, the model learns of none, and a call in its text stays text', async () => {
  for (const options of [{}, { tools, toolChoice: { type: 'none' as const } }]) {
    const { content, reason, body } = await ask(options)
    expect(content).toMatchObject([{ type: 'text', text: answer }])
    expect(reason).toBe('stop')
    expect(body?.messages).toHaveLength(1)
  }
})

test('001-14: an answer that was cut off by its length keeps that reason and its complete calls', async () => {
  await using server = await startOpenAIServer({ script: [replyText(answer, { finish: 'length' })] })
  const model = textTools(
    modelFor('openai/x', { providers: serverProviders({ OPENAI_BASE_URL: server.url }) })
  ) as LanguageModelV4
  const { stream } = await model.doStream({ prompt, tools })
  const parts = await Array.fromAsync(
    stream as unknown as AsyncIterable<{ type: string; finishReason?: object }>
  )
  expect(parts.map(({ type }) => type)).toContain('tool-call')
  expect(parts.at(-1)?.finishReason).toMatchObject({ unified: 'length' })
})

test('001-14: calls in text are redacted like the arguments of other calls', async () => {
  const answerText = 'Ask ada@acme.example. <tool_use name="look">{who: "ada@acme.example"}</tool_use>'
  await using server = await startOpenAIServer({ script: [replyText(answerText)] })
  const redaction = {
    redact: (text: string) => text.replace(/\S+@\S+\w/g, '[mail]'),
    holdBack: 'word' as const
  }
  const model = textTools(
    modelFor('openai/x', { providers: serverProviders({ OPENAI_BASE_URL: server.url }) })
  )
  const { stream } = await (redactModel(model, redaction, 'default') as LanguageModelV4).doStream({
    prompt,
    tools
  })
  const parts = await Array.fromAsync(stream as unknown as AsyncIterable<object>)
  expect(JSON.stringify(parts)).not.toContain('ada@')
  expect(parts).toContainEqual(expect.objectContaining({ type: 'tool-call', input: '{"who":"[mail]"}' }))
})
