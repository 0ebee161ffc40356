import { ReadableStream as NodeStream } from 'node:stream/web'
import { setImmediate as moment } from 'node:timers/promises'
import type { LanguageModelV4, LanguageModelV4StreamPart as Part } from '@ai-sdk/provider'
import type { Chunk } from '@waystation/protocol/session/event.ts'
import { jsonSchema, streamText, tool, toUIMessageStream } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sdkFastPath } from './sdk-fast-path.ts'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 }
}

/** Returns a model that sends these parts. A number is the number of moments to wait. */
function modelThat(script: readonly (Part | number)[]): LanguageModelV4 {
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

/** Runs a step with or without the fast path. Returns the chunks for the reader and the content of the step. */
async function step(model: LanguageModelV4, isFast: boolean) {
  const path = sdkFastPath(model)
  let deltasInSdk = 0
  const result = streamText({
    model: isFast ? path.model : model,
    prompt: 'Go.',
    tools,
    maxRetries: 0,
    onChunk: ({ chunk }) => {
      if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') deltasInSdk++
    }
  })
  const stream = toUIMessageStream({ stream: result.stream, tools, sendStart: false, sendFinish: false })
  const chunks: Chunk[] = []
  for await (const chunk of isFast ? path.chunks(stream as ReadableStream<Chunk>) : stream)
    chunks.push(chunk as Chunk)
  return { chunks, seen: deltasInSdk, content: (await result.finalStep).content }
}

/**
 * Merges adjacent deltas of a block, because their boundaries are not guaranteed. Replaces IDs by their order,
 * because the SDK generates some.
 */
function normalize(chunks: readonly Chunk[]): Chunk[] {
  const merged: Chunk[] = []
  const ids = [...new Set(chunks.flatMap(chunk => ('id' in chunk ? chunk.id : [])))]
  for (const original of chunks) {
    const chunk = 'id' in original ? ({ ...original, id: `${ids.indexOf(original.id)}` } as Chunk) : original
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

const wordDeltas = (count: number) => Array.from({ length: count }, (_, i) => `word ${i} `)

test('text deltas bypass the SDK at once, and the step has all of them', async () => {
  const script = wordDeltas(50).flatMap(delta => [{ type: 'text-delta' as const, id: '0', delta }, 3])
  const model = modelThat([{ type: 'text-start', id: '0' }, ...script, { type: 'text-end', id: '0' }])
  const { chunks, seen: deltasInSdk, content } = await step(model, true)
  expect(chunks.filter(({ type }) => type === 'text-delta')).toEqual(
    wordDeltas(50).map(delta => expect.objectContaining({ type: 'text-delta', delta }))
  )
  expect(content).toEqual([{ type: 'text', text: wordDeltas(50).join('') }])
  expect(deltasInSdk, 'what the SDK was given: how it began, and the rest').toBeLessThan(20)
})

test('the reader gets the same chunks in the same order, and the step the same content, with or without the fast path', async () => {
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
          // A provider can reuse the ID of the previous block.
          const blockId = `${lane}`
          return [
            { type: `${item.kind}-start`, id: blockId },
            ...item.deltas.flatMap(({ delta, wait, marked }) => [
              wait,
              {
                type: `${item.kind}-delta` as const,
                id: blockId,
                delta,
                ...(marked && wait === 0 ? { providerMetadata: { test: { marked } } } : {})
              }
            ]),
            { type: `${item.kind}-end`, id: blockId }
          ]
        })
      )
      const script: (Part | number)[] = []
      for (let i = 0; queues.some(queue => queue.length > 0); i++) {
        const open = queues.filter(queue => queue.length > 0)
        script.push(open[(order[i] ?? 0) % open.length]?.shift() as Part | number)
      }
      const [fast, plain] = [await step(modelThat(script), true), await step(modelThat(script), false)]
      expect(normalize(fast.chunks)).toEqual(normalize(plain.chunks))
      expect(fast.content).toEqual(plain.content)
    }),
    { numRuns: 100 }
  )
})

test('a broken stream fails for the reader after all text that was sent before', async () => {
  const model = modelThat([])
  const broken: LanguageModelV4 = {
    ...model,
    async doStream() {
      async function* parts(): AsyncGenerator<Part> {
        yield { type: 'text-start', id: '0' }
        for (const delta of wordDeltas(20)) {
          yield { type: 'text-delta', id: '0', delta }
          await moment()
          await moment()
        }
        throw new Error('connection lost')
      }
      return { stream: NodeStream.from(parts()) as ReadableStream<Part> }
    }
  }
  const path = sdkFastPath(broken)
  const errors: unknown[] = []
  const result = streamText({
    model: path.model,
    prompt: 'Go.',
    maxRetries: 0,
    onError: ({ error }) => void errors.push(error)
  })
  const stream = toUIMessageStream({ stream: result.stream, onError: String })
  let text = ''
  try {
    for await (const chunk of path.chunks(stream as ReadableStream<Chunk>)) {
      if (chunk.type === 'text-delta') text += chunk.delta
      if (chunk.type === 'error') errors.push(chunk.errorText)
    }
  } catch (error) {
    errors.push(error)
  }
  expect(text).toBe(wordDeltas(20).join(''))
  expect(String(errors)).toContain('connection lost')
})
