import { type LanguageModel, streamText } from 'ai'
import { expect, test } from 'vitest'
import type { Redaction } from '#lib/kernel/redact.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { redactModel } from './redact-model.ts'

type Asked = Extract<Exclude<LanguageModel, string>, { specificationVersion: 'v4' }>
type Part = Awaited<ReturnType<Asked['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

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

/** A model that answers with these parts. */
const answering = (parts: Part[], finish = true): Asked => ({
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

/** Words in the smallest pieces that a provider could send. */
const letters = (text: string, id = '1'): Part[] => [
  { type: 'text-start', id },
  ...[...text].map(delta => ({ type: 'text-delta' as const, id, delta })),
  { type: 'text-end', id }
]

async function ask(parts: Part[], redaction: Redaction, finish = true) {
  const model = redactModel(answering(parts, finish), redaction, 'default')
  const { stream } = await (model as Asked).doStream({ prompt: [] })
  const told: Part[] = []
  for await (const part of stream as unknown as AsyncIterable<Part>) told.push(part)
  const deltas = told.flatMap(part => (part.type === 'text-delta' ? [part.delta] : []))
  return { told, deltas, text: deltas.join('') }
}

test('what a model writes is redacted also when it comes letter by letter, and words come as soon as they are whole', async () => {
  const { deltas, text } = await ask(letters('Write to ada@acme.example today.'), redaction())
  expect(text).toBe('Write to [mail] today.')
  expect(deltas).toEqual(['Write ', 'to ', '[mail] ', 'today.'])
})

test('several words are whole when lines or blocks are held back, and are not when words are', async () => {
  const said = 'The card is 4111 1111 1111 1111.\nIs it?'
  expect((await ask(letters(said), redaction('word'))).text).toBe(said)
  const byLine = await ask(letters(said), redaction('line'))
  expect(byLine.deltas).toEqual(['The card is [card].\n', 'Is it?'])
  expect((await ask(letters(said), redaction('block'))).deltas).toEqual(['The card is [card].\nIs it?'])
})

test('a script without spaces streams on character by character', async () => {
  const { deltas } = await ask(letters('雪です。a@b.example'), redaction())
  expect(deltas).toEqual(['雪', 'で', 'す', '[mail]'])
})

test('what is left when a model breaks off is redacted too; blocks beside each other do not mix', async () => {
  const [start, ...rest] = letters('a@b.exam')
  const cut = await ask([start!, ...rest.slice(0, -1)], redaction(), false)
  expect(cut.text).toBe('[mail]')
  const one = letters('ada@acme', '1')
  const two = letters('.example', '2')
  const mixed = one.flatMap((part, n) => [part, two[n]!])
  const { told } = await ask(mixed, redaction())
  expect(told.filter(({ type }) => type === 'text-delta')).toEqual([
    { type: 'text-delta', id: '1', delta: '[mail]' },
    { type: 'text-delta', id: '2', delta: '.example' }
  ])
})

test('a call’s arguments are redacted whole, streamed and final alike, and stay JSON', async () => {
  const input = '{"to": "ada@acme.example", "n": 7, "a@b": ["x"]}'
  const { told } = await ask(
    [
      { type: 'tool-input-start', id: 'c', toolName: 'send' },
      ...[...input].map(delta => ({ type: 'tool-input-delta' as const, id: 'c', delta })),
      { type: 'tool-input-end', id: 'c' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'send', input }
    ],
    redaction()
  )
  const clean = '{"to":"[mail]","n":7,"a@b":["x"]}'
  expect(told.slice(0, -1)).toEqual([
    { type: 'tool-input-start', id: 'c', toolName: 'send' },
    { type: 'tool-input-delta', id: 'c', delta: clean },
    { type: 'tool-input-end', id: 'c' },
    { type: 'tool-call', toolCallId: 'c', toolName: 'send', input: clean }
  ])
})

test('arguments that are no JSON are redacted as text; reasoning is, as words are', async () => {
  const { told } = await ask(
    [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'ada@' },
      { type: 'reasoning-delta', id: 'r', delta: 'acme.example' },
      { type: 'reasoning-end', id: 'r', providerMetadata: { x: { signature: 'a@b' } } },
      { type: 'tool-call', toolCallId: 'c', toolName: 'send', input: '{ ada@acme.example' }
    ],
    redaction()
  )
  expect(JSON.stringify(told)).not.toContain('acme')
  expect(told).toContainEqual({ type: 'tool-call', toolCallId: 'c', toolName: 'send', input: '{ [mail]' })
  expect(told).toContainEqual({
    type: 'reasoning-end',
    id: 'r',
    providerMetadata: { x: { signature: 'a@b' } }
  })
})

test('a redaction that fails ends the answer: nothing that it was given is told', async () => {
  allowErrors(/the redaction failed/)
  const broken: Redaction = {
    redact: text => {
      if (text.includes('secret')) throw new Error(`cannot do ${text}`)
      return text
    },
    holdBack: 'word'
  }
  const model = redactModel(answering(letters('All is secret now.')), broken, 'default')
  const said: string[] = []
  const read = async () => {
    const { stream } = streamText({ model, prompt: 'x', maxRetries: 0, onError: () => {} })
    for await (const part of stream) if (part.type === 'text-delta') said.push(part.text)
  }
  await expect(read()).rejects.toThrow(expect.not.stringContaining('secret'))
  expect(said.join('')).toBe('All is ')
})
