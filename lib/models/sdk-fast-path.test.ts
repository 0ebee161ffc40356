import { ReadableStream as NodeStream } from 'node:stream/web'
import { setImmediate as moment } from 'node:timers/promises'
import type { LanguageModelV4, LanguageModelV4StreamPart as Part } from '@ai-sdk/provider'
import { jsonSchema, streamText, tool, toUIMessageStream } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Chunk } from '#lib/protocol/session/event.ts'
import { sdkFastPath } from './sdk-fast-path.ts'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 }
}

/** A model that sends these parts; a number is how many moments it waits before it goes on. */
function sends(script: readonly (Part | number)[]): LanguageModelV4 {
  async function* parts(): AsyncGenerator<Part> {
    yield { type: 'stream-start', warnings: [] }
    for (const part of script) {
      if (typeof part === 'number') for (let i = 0; i < part; i++) await moment()
      else yield part
    }
    yield { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage }
  }
  return {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'test',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('It only streams.')),
    doStream: async () => ({ stream: NodeStream.from(parts()) as ReadableStream<Part> })
  }
}

const tools = { look: tool({ inputSchema: jsonSchema({ type: 'object' }) }) }

/** What a step tells its reader and what it comes to, past the SDK or through it. */
async function step(model: LanguageModelV4, past: boolean) {
  const way = sdkFastPath(model)
  let seen = 0
  const result = streamText({
    model: past ? way.model : model,
    prompt: 'Go.',
    tools,
    maxRetries: 0,
    onChunk: ({ chunk }) => {
      if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') seen++
    }
  })
  const stream = toUIMessageStream({ stream: result.stream, tools, sendStart: false, sendFinish: false })
  const chunks: Chunk[] = []
  for await (const chunk of past ? way.chunks(stream as ReadableStream<Chunk>) : stream)
    chunks.push(chunk as Chunk)
  return { chunks, seen, content: (await result.finalStep).content }
}

/**
 * The chunks with adjacent deltas of one block as one: how a text is cut is nobody's promise. And with IDs by their order:
 * the SDK makes some up.
 */
function told(chunks: readonly Chunk[]): Chunk[] {
  const merged: Chunk[] = []
  const ids = [...new Set(chunks.flatMap(chunk => ('id' in chunk ? chunk.id : [])))]
  for (const sent of chunks) {
    const chunk = 'id' in sent ? ({ ...sent, id: `${ids.indexOf(sent.id)}` } as Chunk) : sent
    const last = merged.at(-1)
    if (
      (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') &&
      last?.type === chunk.type &&
      last.id === chunk.id
    )
      merged[merged.length - 1] = { ...last, ...chunk, delta: last.delta + chunk.delta }
    else merged.push(chunk)
  }
  return merged
}

const words = (count: number) => Array.from({ length: count }, (_, i) => `word ${i} `)

test('words go past the SDK, each at once, and the step has them all', async () => {
  const script = words(50).flatMap(delta => [{ type: 'text-delta' as const, id: '0', delta }, 3])
  const model = sends([{ type: 'text-start', id: '0' }, ...script, { type: 'text-end', id: '0' }])
  const { chunks, seen, content } = await step(model, true)
  expect(chunks.filter(({ type }) => type === 'text-delta')).toEqual(
    words(50).map(delta => expect.objectContaining({ type: 'text-delta', delta }))
  )
  expect(content).toEqual([{ type: 'text', text: words(50).join('') }])
  expect(seen, 'what the SDK was given: how it began, and the rest').toBeLessThan(20)
})

test('whatever a model sends, its reader is told the same in the same order, and the step is the same', async () => {
  const block = fc.record({
    kind: fc.constantFrom('text' as const, 'reasoning' as const),
    deltas: fc.array(
      fc.record({
        delta: fc.constantFrom('', 'a', 'bc ', 'déf', '😀'),
        wait: fc.integer({ min: 0, max: 4 }),
        marked: fc.boolean()
      }),
      { maxLength: 12 }
    )
  })
  const call = fc.constant({ kind: 'call' as const })
  const lanes = fc.array(fc.array(fc.oneof({ weight: 4, arbitrary: block }, call), { maxLength: 3 }), {
    minLength: 1,
    maxLength: 2
  })
  await fc.assert(
    fc.asyncProperty(lanes, fc.array(fc.nat()), async (lanes, order) => {
      const queues = lanes.map((items, lane) =>
        items.flatMap((item, n): (Part | number)[] => {
          const id = `${lane}.${n}`
          if (item.kind === 'call')
            return [
              { type: 'tool-input-start', id, toolName: 'look' },
              { type: 'tool-input-delta', id, delta: '{}' },
              { type: 'tool-input-end', id },
              { type: 'tool-call', toolCallId: id, toolName: 'look', input: '{}' }
            ]
          // A provider may give the next block the ID of the one before.
          const own = `${lane}`
          return [
            { type: `${item.kind}-start`, id: own },
            ...item.deltas.flatMap(({ delta, wait, marked }) => [
              wait,
              {
                type: `${item.kind}-delta` as const,
                id: own,
                delta,
                ...(marked && wait === 0 ? { providerMetadata: { test: { marked } } } : {})
              }
            ]),
            { type: `${item.kind}-end`, id: own }
          ]
        })
      )
      const script: (Part | number)[] = []
      for (let i = 0; queues.some(queue => queue.length > 0); i++) {
        const open = queues.filter(queue => queue.length > 0)
        script.push(open[(order[i] ?? 0) % open.length]?.shift() as Part | number)
      }
      const [past, through] = [await step(sends(script), true), await step(sends(script), false)]
      expect(told(past.chunks)).toEqual(told(through.chunks))
      expect(past.content).toEqual(through.content)
    }),
    { numRuns: 100 }
  )
})

test('a stream that breaks off breaks off for the reader, behind what was told', async () => {
  const model = sends([])
  const broken: LanguageModelV4 = {
    ...model,
    async doStream() {
      async function* parts(): AsyncGenerator<Part> {
        yield { type: 'text-start', id: '0' }
        for (const delta of words(20)) {
          yield { type: 'text-delta', id: '0', delta }
          await moment()
          await moment()
        }
        throw new Error('connection lost')
      }
      return { stream: NodeStream.from(parts()) as ReadableStream<Part> }
    }
  }
  const way = sdkFastPath(broken)
  const errors: unknown[] = []
  const result = streamText({
    model: way.model,
    prompt: 'Go.',
    maxRetries: 0,
    onError: ({ error }) => void errors.push(error)
  })
  const stream = toUIMessageStream({ stream: result.stream, onError: String })
  let text = ''
  try {
    for await (const chunk of way.chunks(stream as ReadableStream<Chunk>)) {
      if (chunk.type === 'text-delta') text += chunk.delta
      if (chunk.type === 'error') errors.push(chunk.errorText)
    }
  } catch (error) {
    errors.push(error)
  }
  expect(text).toBe(words(20).join(''))
  expect(String(errors)).toContain('connection lost')
})
