import { type LanguageModel, streamText } from 'ai'
import { expect, test } from 'vitest'
import type { Redaction } from '#lib/kernel/ports/redaction.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { redactModel } from './redact-model.ts'

type Model = Extract<Exclude<LanguageModel, string>, { specificationVersion: 'v4' }>
type Part = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

const mail = /\S+@\S+/g
const card = /\b\d{4} \d{4} \d{4} \d{4}\b/g
const redaction = (holdBack: Redaction['holdBack'] = 'word'): Redaction => ({
  redact: text => text.replace(mail, '[mail]').replace(card, '[card]'),
  holdBack
})

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 }
}

/** Returns a model that responds with these parts. */
const modelWith = (parts: Part[], finish = true): Model => ({
  specificationVersion: 'v4',
  provider: 'test',
  modelId: 'test',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('It only streams.')),
  doStream: async () => ({
    stream: new ReadableStream<Part>({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        if (finish)
          controller.enqueue({ type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } })
        controller.close()
      }
    })
  })
})

/** Returns a text as deltas of one character, the smallest that a provider could send. */
const letters = (text: string, id = '1'): Part[] => [
  { type: 'text-start', id },
  ...[...text].map(delta => ({ type: 'text-delta' as const, id, delta })),
  { type: 'text-end', id }
]

async function ask(parts: Part[], redaction: Redaction, finish = true) {
  const model = redactModel(modelWith(parts, finish), redaction, 'default')
  const { stream } = await (model as Model).doStream({ prompt: [] })
  const output: Part[] = []
  for await (const part of stream as unknown as AsyncIterable<Part>) output.push(part)
  const deltas = output.flatMap(part => (part.type === 'text-delta' ? [part.delta] : []))
  return { output, deltas, text: deltas.join('') }
}

test('output is redacted even if it arrives letter by letter, and each word is sent once it is complete', async () => {
  const { deltas, text } = await ask(letters('Write to ada@acme.example today.'), redaction())
  expect(text).toBe('Write to [mail] today.')
  expect(deltas).toEqual(['Write ', 'to ', '[mail] ', 'today.'])
})

test('text of several words is redacted if lines or blocks are held back, but not if words are', async () => {
  const answer = 'The card is 4111 1111 1111 1111.\nIs it?'
  expect((await ask(letters(answer), redaction('word'))).text).toBe(answer)
  const byLine = await ask(letters(answer), redaction('line'))
  expect(byLine.deltas).toEqual(['The card is [card].\n', 'Is it?'])
  expect((await ask(letters(answer), redaction('block'))).deltas).toEqual(['The card is [card].\nIs it?'])
})

test('text without spaces streams character by character', async () => {
  const { deltas } = await ask(letters('雪です。a@b.example'), redaction())
  expect(deltas).toEqual(['雪', 'で', 'す', '[mail]'])
})

test('the rest of a broken stream is redacted too, and parallel blocks do not mix', async () => {
  const [start, ...rest] = letters('a@b.exam')
  const cut = await ask([start!, ...rest.slice(0, -1)], redaction(), false)
  expect(cut.text).toBe('[mail]')
  const first = letters('ada@acme', '1')
  const second = letters('.example', '2')
  const mixed = first.flatMap((part, index) => [part, second[index]!])
  const { output } = await ask(mixed, redaction())
  expect(output.filter(({ type }) => type === 'text-delta')).toEqual([
    { type: 'text-delta', id: '1', delta: '[mail]' },
    { type: 'text-delta', id: '2', delta: '.example' }
  ])
})

test('a call’s arguments are redacted as a whole, streamed and final, and stay JSON', async () => {
  const input = '{"to": "ada@acme.example", "n": 7, "a@b": ["x"]}'
  const { output } = await ask(
    [
      { type: 'tool-input-start', id: 'c', toolName: 'send' },
      ...[...input].map(delta => ({ type: 'tool-input-delta' as const, id: 'c', delta })),
      { type: 'tool-input-end', id: 'c' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'send', input }
    ],
    redaction()
  )
  const clean = '{"to":"[mail]","n":7,"a@b":["x"]}'
  expect(output.slice(0, -1)).toEqual([
    { type: 'tool-input-start', id: 'c', toolName: 'send' },
    { type: 'tool-input-delta', id: 'c', delta: clean },
    { type: 'tool-input-end', id: 'c' },
    { type: 'tool-call', toolCallId: 'c', toolName: 'send', input: clean }
  ])
})

test('arguments that are not JSON are redacted as text, and reasoning is redacted like text', async () => {
  const { output } = await ask(
    [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'ada@' },
      { type: 'reasoning-delta', id: 'r', delta: 'acme.example' },
      { type: 'reasoning-end', id: 'r', providerMetadata: { x: { signature: 'a@b' } } },
      { type: 'tool-call', toolCallId: 'c', toolName: 'send', input: '{ ada@acme.example' }
    ],
    redaction()
  )
  expect(JSON.stringify(output)).not.toContain('acme')
  expect(output).toContainEqual({ type: 'tool-call', toolCallId: 'c', toolName: 'send', input: '{ [mail]' })
  expect(output).toContainEqual({ type: 'reasoning-end', id: 'r', providerMetadata: {} })
})

test('a failed redaction ends the answer, and the text that it failed on is not sent', async () => {
  allowErrors(/the redaction failed/)
  const broken: Redaction = {
    redact: text => {
      if (text.includes('secret')) throw new Error(`cannot do ${text}`)
      return text
    },
    holdBack: 'word'
  }
  const model = redactModel(modelWith(letters('All is secret now.')), broken, 'default')
  const texts: string[] = []
  const read = async () => {
    const { stream } = streamText({ model, prompt: 'x', maxRetries: 0, onError: () => {} })
    for await (const part of stream) if (part.type === 'text-delta') texts.push(part.text)
  }
  await expect(read()).rejects.toThrow(expect.not.stringContaining('secret'))
  expect(texts.join('')).toBe('All is ')
})

test('a block or call that was changed loses its signature, and all others keep theirs', async () => {
  const signed = (signature: string) => ({ providerMetadata: { x: { signature } } })
  const thinks = (id: string, delta: string): Part[] => [
    { type: 'reasoning-start', id },
    { type: 'reasoning-delta', id, delta },
    { type: 'reasoning-delta', id, delta: '', ...signed(id) },
    { type: 'reasoning-end', id }
  ]
  const call = { type: 'tool-call' as const, toolName: 'send' }
  const model = redactModel(
    modelWith([
      ...thinks('1', 'Write to ada@acme.example.'),
      ...thinks('2', 'Write to her.'),
      { ...call, toolCallId: 'a', input: '{"to": "ada@acme.example"}', ...signed('a') },
      { ...call, toolCallId: 'b', input: '{"to": "her"}', ...signed('b') }
    ]),
    redaction(),
    'default'
  )
  const { finalStep } = streamText({ model, prompt: 'x', onError: () => {} })
  const metadata = (await finalStep).content.flatMap(part =>
    part.type === 'reasoning' || part.type === 'tool-call' ? [part.providerMetadata] : []
  )
  const kept = (signature: string) => signed(signature).providerMetadata
  expect(metadata).toEqual([{}, kept('2'), {}, kept('b')])
})
