import { readUIMessageStream, type UIMessageChunk } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyChunk, foldedMessage } from './apply-chunk.ts'
import type { Chunk } from './event.ts'
import type { Message } from './message.ts'

const empty = (): Message => ({ id: 'm', role: 'assistant', parts: [] })

const fold = (chunks: readonly Chunk[], from: Message = empty()) =>
  chunks.reduce(applyChunk, foldedMessage(from)).message

/** Reads the same chunks with the AI SDK's own reader. */
async function read(chunks: readonly Chunk[]): Promise<Message> {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(structuredClone(chunk) as UIMessageChunk)
      controller.close()
    }
  })
  let last = empty()
  for await (const message of readUIMessageStream<Message>({
    message: empty(),
    stream,
    terminateOnError: true
  }))
    last = message
  return last
}

const shortText = fc.string({ maxLength: 8 })
const json = fc.jsonValue({ maxDepth: 2 })
const metadata = fc.option(fc.constant({ fake: { signature: 'x' } }), { nil: undefined })

/** The chunks of one text or reasoning part, complete or without its end. */
const prose = (kind: 'text' | 'reasoning') =>
  fc
    .tuple(fc.array(shortText, { maxLength: 4 }), metadata, fc.boolean())
    .map(([deltas, providerMetadata, ends]) => (id: string): Chunk[] => [
      { type: `${kind}-start`, id, ...(providerMetadata ? { providerMetadata } : {}) } as Chunk,
      ...deltas.map(delta => ({ type: `${kind}-delta`, id, delta }) as Chunk),
      ...(ends ? [{ type: `${kind}-end`, id } as Chunk] : [])
    ])

/** The chunks of one call's arguments, streamed or complete. */
const call = fc
  .tuple(fc.array(shortText, { maxLength: 3 }), json, fc.boolean())
  .map(([deltas, input, streams]) => (id: string): Chunk[] => [
    ...(streams ? [{ type: 'tool-input-start', toolCallId: id, toolName: 'pick' } as Chunk] : []),
    ...(streams
      ? deltas.map(inputTextDelta => ({ type: 'tool-input-delta', toolCallId: id, inputTextDelta }) as Chunk)
      : []),
    { type: 'tool-input-available', toolCallId: id, toolName: 'pick', input } as Chunk
  ])

const other = fc.oneof(
  fc.webUrl().map(url => [{ type: 'source-url', sourceId: 's', url, title: 'A page' } as Chunk]),
  fc.constant([{ type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' } as Chunk]),
  fc
    .constantFrom('a', 'b')
    .map(id => [{ type: 'data-notice', id, data: { kind: 'stopped', by: 'person' } } as Chunk])
)

/** Parts whose chunks are interleaved, each in its own order, as in parallel parts of a step. */
const mixed = fc
  .tuple(
    fc.array(fc.oneof(prose('text'), prose('reasoning'), call), { maxLength: 4 }),
    fc.array(other, { maxLength: 2 }),
    fc.infiniteStream(fc.nat())
  )
  .map(([makers, others, picks]) => {
    const queues: Chunk[][] = [
      ...makers.map((make, i) => make(`p${i}`)),
      ...others.map(chunksOfPart => [...chunksOfPart])
    ]
    const chunks: Chunk[] = []
    for (const pick of picks) {
      const remaining = queues.filter(queue => queue.length > 0)
      if (remaining.length === 0) break
      chunks.push(remaining[pick % remaining.length]?.shift() as Chunk)
    }
    return chunks
  })

/** A message as our log stores it: steps that end, or that are dropped and written again. */
const messages = fc
  .array(fc.tuple(mixed, fc.constantFrom('finish', 'reset')), { maxLength: 4 })
  .map(steps =>
    steps.flatMap(([chunks, end], n): Chunk[] => [
      { type: 'start-step' },
      ...chunks.map(chunk => renamed(chunk, n)),
      ...(end === 'reset' ? [{ type: 'reset-step' } as Chunk] : []),
      { type: 'finish-step' }
    ])
  )

/** IDs of texts start again in every step, as providers' do. Calls have unique IDs. */
const renamed = (chunk: Chunk, step: number): Chunk =>
  'toolCallId' in chunk ? { ...chunk, toolCallId: `${step}:${chunk.toolCallId}` } : chunk

/** Removes keys without a value, which only the SDK's reader adds. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

test('the fold of a message equals the AI SDK’s result for the same chunks', async () => {
  await fc.assert(
    fc.asyncProperty(messages, async chunks => {
      // The metadata is at the end, because the SDK emits a step's start only with the next chunk.
      const last: Chunk = { type: 'finish', messageMetadata: { createdAt: 'now' } }
      const complete: Chunk[] = [{ type: 'start', messageId: 'm' }, ...chunks, last]
      const ours = plain(fold(complete)).parts.map(({ rawInput: _, ...part }: { rawInput?: unknown }) => part)
      const theirs = plain(await read(complete)).parts
      expect(withoutPartial(ours)).toEqual(withoutPartial(theirs))
    }),
    { numRuns: 150 }
  )
})

/** Removes incomplete arguments. The SDK repairs and parses their JSON. We show them unchanged. */
const withoutPartial = (parts: { state?: string; input?: unknown }[]) =>
  parts.map(({ input, ...part }) =>
    part.state === 'input-streaming' ? part : { ...part, ...(input === undefined ? {} : { input }) }
  )

test('a fold that is stored midway and continued has the same result', () => {
  const sequential = fc
    .tuple(fc.array(fc.oneof(prose('text'), prose('reasoning'), call), { maxLength: 4 }))
    .map(([makers]) => makers.flatMap((make, i) => make(`p${i}`)))
  fc.assert(
    fc.property(sequential, fc.nat(), (chunks, at) => {
      const step: Chunk[] = [{ type: 'start-step' }, ...chunks, { type: 'finish-step' }]
      const cut = at % (step.length + 1)
      const stored = plain(fold(step.slice(0, cut)))
      expect(plain(fold(step.slice(cut), stored))).toEqual(plain(fold(step)))
    }),
    { numRuns: 300 }
  )
})

test('invalid chunks change nothing: a delta without its start, an unknown type', () => {
  const folded = foldedMessage({
    ...empty(),
    parts: [{ type: 'step-start' }, { type: 'text', text: 'done', state: 'done' }]
  })
  const invalidChunks = [
    { type: 'text-delta', id: 'x', delta: 'lost' },
    { type: 'text-end', id: 'x' },
    { type: 'reasoning-delta', id: 'x', delta: 'lost' },
    { type: 'tool-input-delta', toolCallId: 'x', inputTextDelta: 'lost' },
    { type: 'something-new', id: 'x' }
  ] as unknown as Chunk[]
  for (const chunk of invalidChunks) expect(applyChunk(folded, chunk).message).toEqual(folded.message)
})

test('a changed message shares its unchanged parts', () => {
  const before = foldedMessage({
    ...empty(),
    parts: [{ type: 'step-start' }, { type: 'text', text: 'a', state: 'streaming' }]
  })
  const after = applyChunk(before, { type: 'text-delta', id: '0', delta: 'b' })
  expect(after.message.parts[0]).toBe(before.message.parts[0])
  expect(after.message.parts[1]).toMatchObject({ text: 'ab' })
  expect(before.message.parts[1]).toMatchObject({ text: 'a' })
})
