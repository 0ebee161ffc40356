import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Frame, readSse } from './read-sse.ts'

const read = (chunks: Uint8Array[]): Promise<Frame[]> => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    }
  })
  return Array.fromAsync(readSse(body))
}

test('chunk boundaries never change the frames, even inside a character', async () => {
  const text =
    ': keep-alive\n\nid: 7\nevent: call\ndata: {"a":"ü€😀"}\n\nretry: 2000\r\ndata: one\r\ndata: two\r\n\r\n'
  const bytes = new TextEncoder().encode(text)
  const whole: Frame[] = [
    {},
    { id: '7', event: 'call', data: '{"a":"ü€😀"}' },
    { retry: 2000, data: 'one\ntwo' }
  ]
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 8 }), async cuts => {
      const at = [0, ...cuts.sort((a, b) => a - b), bytes.length]
      const chunks = at.slice(1).map((end, index) => bytes.slice(at[index], end))
      expect(await read(chunks)).toEqual(whole)
    }),
    { numRuns: 50 }
  )
})
