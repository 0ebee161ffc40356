import { ReadableStream as NodeStream } from 'node:stream/web'
import { setImmediate as moment } from 'node:timers/promises'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4, LanguageModelV4StreamPart as Part } from '@ai-sdk/provider'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chatCompletionsWire } from './chat-completions-wire.ts'
import { textFastPath } from './text-fast-path.ts'

type Fetch = typeof globalThis.fetch

/** Returns a fetch that responds with these bytes. A number is the number of moments to wait. */
const respondsWith =
  (pieces: readonly (Uint8Array | number)[]): Fetch =>
  async () => {
    async function* bytes() {
      for (const piece of pieces) {
        if (typeof piece === 'number') for (let i = 0; i < piece; i++) await moment()
        else yield piece
      }
    }
    return new Response(NodeStream.from(bytes()) as ReadableStream<Uint8Array<ArrayBuffer>>, {
      headers: { 'content-type': 'text/event-stream' }
    })
  }

const provider = (fetch: Fetch): LanguageModelV4 =>
  createOpenAICompatible({ name: 'test', baseURL: 'http://model.test/v1', includeUsage: true, fetch })('m')

async function partsOf(model: LanguageModelV4): Promise<Part[]> {
  const { stream } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }]
  })
  const parts: Part[] = []
  for await (const part of stream) {
    const last = parts.at(-1)
    if (part.type === 'text-delta' && last?.type === 'text-delta' && last.id === part.id)
      parts[parts.length - 1] = { ...last, delta: last.delta + part.delta }
    else if (part.type === 'reasoning-delta' && last?.type === 'reasoning-delta')
      parts[parts.length - 1] = { ...last, delta: last.delta + part.delta }
    else parts.push(part)
  }
  return parts
}

const event = (delta: object, more: object = {}, choice: object = {}) =>
  `data: ${JSON.stringify({
    id: 'c',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: null, ...choice }],
    ...more
  })}\n\n`

const ending = [
  event({}, {}, { finish_reason: 'stop' }),
  `data: ${JSON.stringify({ id: 'c', choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } })}\n\n`,
  'data: [DONE]\n\n'
]
const encode = (text: string) => new TextEncoder().encode(text)

/** Returns a provider that records the events that it receives. */
const spyProvider =
  (received: string[]) =>
  (fetch: Fetch): LanguageModelV4 =>
    provider(async (...args) => {
      const { body, headers } = await fetch(...args)
      const spiedBody = (body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(
        new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform(bytes, controller) {
            received.push(...new TextDecoder().decode(bytes).split('\n\n').filter(Boolean))
            controller.enqueue(bytes)
          }
        })
      )
      return new Response(spiedBody, { headers })
    })

test('text bypasses the provider at once, and the provider sees the whole answer', async () => {
  const received: string[] = []
  const wordDeltas = Array.from({ length: 60 }, (_, i) => `word ${i} `)
  const pieces = [...wordDeltas.map(content => event({ content })), ...ending].flatMap(text => [
    encode(text),
    4
  ])
  const model = textFastPath(spyProvider(received), chatCompletionsWire, respondsWith(pieces))
  const { stream } = await model.doStream({ prompt: [] })
  const deltas: string[] = []
  for await (const part of stream) if (part.type === 'text-delta') deltas.push(part.delta)
  expect(deltas).toEqual(wordDeltas)
  expect(received.length, 'how it began, the rest, and its end').toBeLessThan(25)
  const contents = received.flatMap(text =>
    text.startsWith('data: {') ? (JSON.parse(text.slice(6)).choices[0]?.delta.content ?? []) : []
  )
  expect(contents.join('')).toBe(wordDeltas.join(''))
})

test('text bypasses the provider in simultaneous answers of one model, and they do not mix', async () => {
  const answers = ['left ', 'right ', 'middle '].map(word =>
    Array.from({ length: 60 }, (_, i) => `${word}${i} `)
  )
  const responses = answers.map(words =>
    respondsWith([...words.map(content => event({ content })), ...ending].flatMap(text => [encode(text), 4]))
  )
  let requests = 0
  const fetchNext: Fetch = (...args) => (responses[requests++] as Fetch)(...args)
  const received: string[] = []
  const model = textFastPath(spyProvider(received), chatCompletionsWire, fetchNext)
  const textOf = async () =>
    (await partsOf(model)).flatMap(part => (part.type === 'text-delta' ? part.delta : [])).join('')
  expect(await Promise.all(answers.map(textOf))).toEqual(answers.map(words => words.join('')))
  expect(received.length).toBeLessThan(60)
})

test('the model returns the same parts as its provider, for any events and any chunk boundaries', async () => {
  const text = fc.constantFrom('a', 'bc ', 'déf', '😀', '"\\\n')
  const events = fc.oneof(
    { weight: 8, arbitrary: text.map(content => event({ content })) },
    text.map(content => event({ role: 'assistant', content }, { usage: null, system_fingerprint: 'f' })),
    text.map(content => event({ content, reasoning_content: null }, {}, { logprobs: null })),
    text.map(reasoning_content => event({ reasoning_content })),
    text.map(refusal => event({ refusal })),
    text.map(text => event({ content: [{ type: 'text', text }] })),
    text.map(content => event({ content }, { usage: { prompt_tokens: 1, completion_tokens: 2 } })),
    text.map(content => event({ content }).replace('\n\n', '\r\n\r\n')),
    text.map(content => event({ content }).replace('data: ', 'event: x\ndata:')),
    fc.constantFrom(
      event({ content: '' }),
      event({ tool_calls: [{ index: 0, id: 'call', function: { name: 'look', arguments: '{}' } }] }),
      ': still there\n\n',
      'data: not JSON\n\n',
      `data: ${JSON.stringify({ error: { message: 'overloaded' } })}\n\n`
    )
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(events, { maxLength: 30 }),
      fc.array(fc.record({ size: fc.integer({ min: 1, max: 400 }), wait: fc.integer({ min: 0, max: 5 }) })),
      fc.boolean(),
      async (eventTexts, cuts, ended) => {
        const bytes = encode([...eventTexts, ...(ended ? ending : [])].join(''))
        const pieces: (Uint8Array | number)[] = []
        for (let offset = 0, i = 0; offset < bytes.length; i++) {
          const { size, wait } = cuts[i % Math.max(1, cuts.length)] ?? { size: 150, wait: 2 }
          pieces.push(bytes.slice(offset, offset + size), wait)
          offset += size
        }
        const fast = await partsOf(textFastPath(provider, chatCompletionsWire, respondsWith(pieces)))
        expect(normalized(fast)).toEqual(normalized(await partsOf(provider(respondsWith(pieces)))))
      }
    ),
    { numRuns: 200 }
  )
})

/**
 * Compares errors by message, and ignores IDs that the provider generates for a call that has an ID already.
 */
const normalized = (parts: Part[]) =>
  parts.map(part => {
    if (part.type === 'error') return { type: 'error', error: String(part.error) }
    const maskId = (id: string) => (/^[A-Za-z0-9]{16}$/.test(id) ? 'drawn' : id)
    return {
      ...part,
      ...('id' in part && part.id !== undefined && { id: maskId(part.id) }),
      ...('toolCallId' in part && { toolCallId: maskId(part.toolCallId) })
    }
  })

test('a broken connection fails the call like the provider does, after all text that was sent before', async () => {
  const breaks: Fetch = async () => {
    async function* bytes() {
      for (let i = 0; i < 20; i++) {
        yield encode(event({ content: `word ${i} ` }))
        await moment()
        await moment()
      }
      throw new Error('connection lost')
    }
    return new Response(NodeStream.from(bytes()) as ReadableStream<Uint8Array<ArrayBuffer>>, {
      headers: { 'content-type': 'text/event-stream' }
    })
  }
  const failure = async (model: LanguageModelV4) => {
    const { stream } = await model.doStream({ prompt: [] })
    let text = ''
    try {
      for await (const part of stream) if (part.type === 'text-delta') text += part.delta
    } catch (error) {
      return { text, error: String(error), cause: String((error as Error).cause) }
    }
    throw new Error('It did not break.')
  }
  const result = await failure(textFastPath(provider, chatCompletionsWire, breaks))
  expect(result).toEqual(await failure(provider(breaks)))
  expect(result).toMatchObject({ cause: 'Error: connection lost' })
  expect(result.text).toBe(Array.from({ length: 20 }, (_, i) => `word ${i} `).join(''))
})

test('if the reader stops, the connection to the provider is closed', async () => {
  const closed = Promise.withResolvers<void>()
  const endless: Fetch = async () =>
    new Response(
      new ReadableStream({
        async pull(controller) {
          await moment()
          controller.enqueue(encode(event({ content: 'more ' })))
        },
        cancel: () => closed.resolve()
      }),
      { headers: { 'content-type': 'text/event-stream' } }
    )
  const { stream } = await textFastPath(provider, chatCompletionsWire, endless).doStream({ prompt: [] })
  let count = 0
  for await (const part of stream) if (part.type === 'text-delta' && ++count === 30) break
  await closed.promise
})
