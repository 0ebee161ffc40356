import { chunksOf } from './chunks-of.ts'

/** One frame of an event stream. A comment (`: keep-alive`) is a frame without data. */
export type Frame = { id?: string; event?: string; data?: string; retry?: number }

/**
 * Reads Server-Sent Events from a response body (WHATWG HTML, "Interpreting an event stream"). Chunks can end
 * anywhere, lines can end in LF or CRLF, and data can have several lines.
 */
export async function* readSse(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  let rest = ''
  let frame: Frame = {}
  for await (const text of textOf(body)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const raw of lines) {
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
      if (line === '') {
        yield frame
        frame = {}
      } else frame = withLine(frame, line)
    }
  }
}

function withLine(frame: Frame, line: string): Frame {
  const colon = line.indexOf(':')
  const field = colon < 0 ? line : line.slice(0, colon)
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
  if (field === 'data')
    return { ...frame, data: frame.data === undefined ? value : `${frame.data}\n${value}` }
  if (field === 'id') return { ...frame, id: value }
  if (field === 'event') return { ...frame, event: value }
  if (field === 'retry' && /^\d+$/.test(value)) return { ...frame, retry: Number(value) }
  return frame
}

async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const bytes of chunksOf(body)) yield decoder.decode(bytes, { stream: true })
}
