import type { ModelParameters } from '@waystation/protocol/agent/agent.ts'
import { jsonSchema, type ModelMessage, streamText, tool } from 'ai'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { serverProviders } from '#lib/models/configured.ts'
import { bedrockProvider } from '#lib/models/providers/bedrock.ts'
import { modelsOf } from '#lib/models/workspace-models.ts'
import { fetchFrom, protocolOf } from './protocols.ts'
import { replay } from './replay-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: requests of several protocols
type Json = any

/** Returns the request of a step, as its provider receives it. */
async function requestOf(
  protocol: string,
  messages: ModelMessage[],
  { model, parameters }: { model?: string; parameters?: ModelParameters } = {}
): Promise<{ body: Json; headers: Json }> {
  const { host = '', settings, model: standard } = protocolOf(protocol)
  const server = await replay([`${protocol}/text`])
  const { model: open, settingsOf } = modelsOf({
    providers: serverProviders(settings(server.url), fetchFrom({ [host]: server.url }))
  })
  const spec = model ?? standard
  const lookup = tool({ inputSchema: jsonSchema({ type: 'object', properties: {} }) })
  await streamText({
    model: open(spec),
    instructions: 'Be brief.',
    messages,
    tools: { lookup },
    maxRetries: 0,
    ...settingsOf(spec, parameters)
  }).text
  return { body: server.bodies[0], headers: server.headers[0] }
}

const question: ModelMessage = { role: 'user', content: 'Hi' }

describe('Claude ignores thinking whose prompt has changed since', () => {
  const binding = { block_binding: { prefix_mismatch_behavior: 'drop_block' } }
  const beta = 'thinking-binding-controls-2026-08-01'

  test('at Anthropic, with each setting for reasoning', async () => {
    const plain = await requestOf('anthropic', [question])
    expect(plain.body.thinking).toEqual(binding)
    expect(plain.headers['anthropic-beta']).toContain(beta)
    const adaptive = { type: 'adaptive', display: 'summarized', ...binding }
    const high = await requestOf('anthropic', [question], { parameters: { reasoning: 'high' } })
    expect(high.body).toMatchObject({ thinking: adaptive, output_config: { effort: 'high' } })
    const budget = await requestOf('anthropic', [question], { parameters: { reasoningBudget: 2000 } })
    expect(budget.body.thinking).toEqual(adaptive)
  })

  test('at Bedrock', async () => {
    const { body } = await requestOf('bedrock', [question])
    expect(body.additionalModelRequestFields).toMatchObject({ thinking: binding, anthropic_beta: [beta] })
    const budget = await requestOf('bedrock', [question], { parameters: { reasoningBudget: 2000 } })
    const adaptive = { type: 'adaptive', display: 'summarized', ...binding }
    expect(budget.body.additionalModelRequestFields.thinking).toEqual(adaptive)
    const high = await requestOf('bedrock', [question], { parameters: { reasoning: 'xhigh' } })
    expect(high.body.additionalModelRequestFields).toMatchObject({
      thinking: adaptive,
      output_config: { effort: 'max' },
      anthropic_beta: [beta]
    })
  })

  test('older models, which would reject this setting, do not receive it', async () => {
    for (const model of ['claude-opus-4-8', 'claude-sonnet-4-20250514', 'claude-opus-5-20260701']) {
      const { body, headers } = await requestOf('anthropic', [question], { model: `anthropic/${model}` })
      expect(body.thinking).toBeUndefined()
      expect(headers['anthropic-beta'] ?? '').not.toContain(beta)
    }
  })
})

describe('prompt caching', () => {
  const call = { type: 'tool-call' as const, toolCallId: 'call_1', toolName: 'lookup', input: {} }
  const first: ModelMessage[] = [question]
  const second: ModelMessage[] = [
    ...first,
    { role: 'assistant', content: [{ type: 'text', text: 'One moment.' }, call] },
    {
      role: 'tool',
      content: [{ ...call, type: 'tool-result', output: { type: 'json', value: { degrees: 4 } } }]
    }
  ]
  const third: ModelMessage[] = [...second, { role: 'assistant', content: 'It is 4.' }, question]

  /** Removes the marks, and returns the system prompt, the tools and all content in their order. */
  const contentOf = ({ system, tools, toolConfig, messages }: Json): Json[] =>
    [system, tools ?? toolConfig, ...messages.flatMap(({ content }: Json) => content)].map(part =>
      JSON.parse(
        JSON.stringify(part, (key, value) => {
          if (key === 'cache_control') return undefined
          return Array.isArray(value) ? value.filter(item => !item.cachePoint) : value
        })
      )
    )
  const isMark = (block: Json) => block.cache_control !== undefined || block.cachePoint !== undefined
  const isPoint = (block: Json) => block?.cachePoint !== undefined

  test.each(['anthropic', 'bedrock'])(
    '%s: the system prompt and the last message are marked, and each prompt begins with the previous one',
    async protocol => {
      let previous: Json[] = []
      for (const messages of [first, second, third]) {
        const { body } = await requestOf(protocol, messages)
        const blocks = [...body.system, ...body.messages.flatMap(({ content }: Json) => content)]
        expect(blocks.filter(isMark)).toHaveLength(2)
        expect(body.system.some(isMark)).toBe(true)
        expect(isMark(body.messages.at(-1).content.at(-1))).toBe(true)
        const content = contentOf(body).filter(part => !isPoint(part))
        expect(content.slice(0, previous.length)).toEqual(previous)
        previous = content
      }
    }
  )
})

test('the keys of a workspace are not sent to an AWS endpoint of the server’s environment', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL', 'https://operator.example')
  onTestFinished(() => void vi.unstubAllEnvs())
  const urls: string[] = []
  const values = { region: 'eu-west-1', apiKey: 'none' }
  const send: typeof fetch = async input => {
    urls.push(String(input))
    return Response.json({}, { status: 500 })
  }
  for (const isServer of [false, true]) {
    const model = await bedrockProvider.load('amazon.nova-lite-v1:0', values, send, isServer)
    await expect(model.doStream({ prompt: [] })).rejects.toThrow()
  }
  expect(urls.map(url => new URL(url).host)).toEqual([
    'bedrock-runtime.eu-west-1.amazonaws.com',
    'operator.example'
  ])
})
