import type { Chunk, ChunkEvent } from '@waystation/protocol/session/event.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeInto } from './batch-writer.ts'

const delta = (id: string, delta: string, type = 'text-delta') => ({ type, id, delta }) as Chunk
const input = (toolCallId: string, inputTextDelta: string) =>
  ({ type: 'tool-input-delta', toolCallId, inputTextDelta }) as Chunk

/** Merges chunks into the events that are stored. All belong to one message unless they name another. */
function merged(...chunks: (Chunk | [messageId: string, Chunk])[]): ChunkEvent[] {
  const events: ChunkEvent[] = []
  for (const item of chunks) {
    const [messageId, chunk] = Array.isArray(item) ? item : ['m', item]
    mergeInto(events, { type: 'chunk', turnId: 't', messageId, chunk })
  }
  return events
}
const chunksOf = (events: ChunkEvent[]) => events.map(({ chunk }) => chunk)

test('adjacent deltas of one part are stored as one event', () => {
  expect(chunksOf(merged(delta('a', 'one '), delta('a', 'two')))).toEqual([delta('a', 'one two')])
  expect(chunksOf(merged(delta('a', 'x', 'reasoning-delta'), delta('a', 'y', 'reasoning-delta')))).toEqual([
    delta('a', 'xy', 'reasoning-delta')
  ])
  expect(chunksOf(merged(input('c', '{"a'), input('c', '":1}')))).toEqual([input('c', '{"a":1}')])
})

test('deltas of different parts, calls, kinds or messages are stored as separate events', () => {
  for (const pair of [
    [delta('a', 'x'), delta('b', 'y')],
    [input('c', 'x'), input('d', 'y')],
    [delta('a', 'x'), delta('a', 'y', 'reasoning-delta')],
    [delta('a', 'x'), { type: 'text-end', id: 'a' } as Chunk]
  ])
    expect(chunksOf(merged(...pair))).toEqual(pair)
  expect(merged(['m', delta('a', 'x')], ['n', delta('a', 'y')])).toHaveLength(2)
})

test('interleaved parts keep their text and the order of their events', () => {
  const chunk = fc.record({
    type: fc.constantFrom('text-delta', 'reasoning-delta'),
    id: fc.constantFrom('a', 'b'),
    delta: fc.string({ maxLength: 3 })
  })
  const textsOf = (chunks: readonly Chunk[]) => {
    const texts: Record<string, string> = {}
    for (const { type, id, delta } of chunks as { type: string; id: string; delta: string }[])
      texts[`${type} ${id}`] = (texts[`${type} ${id}`] ?? '') + delta
    return texts
  }
  fc.assert(
    fc.property(fc.array(chunk), chunks => {
      expect(textsOf(chunksOf(merged(...(chunks as Chunk[]))))).toEqual(textsOf(chunks as Chunk[]))
    })
  )
})
