import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { OutboundError } from './outbound-error.ts'

/** What we ask for, and all that `readBody` can unpack. */
export const acceptedEncodings = 'gzip, br'

const unpackers: Record<string, (() => Transform) | undefined> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress
}

/**
 * The whole body, unpacked, of at most `maxBytes`. Both sides are counted while they flow, so a gigabyte packed in a
 * megabyte is dropped at the limit, and so is a megabyte that unpacks to nothing. Layers of packing are refused.
 * `heard` gets each piece as it comes. Leaving early, for whatever reason, closes the connection. Throws `OutboundError` `TOO_LARGE` or `UNREADABLE`.
 */
export async function readBody(
  body: Readable,
  encoding: string | null,
  maxBytes: number,
  heard?: (piece: Uint8Array) => void
): Promise<Uint8Array> {
  const packing = encoding?.trim().toLowerCase() || 'identity'
  if (packing === 'identity') return collect(capped(body, maxBytes), heard)

  const unpacker = unpackers[packing]
  if (!unpacker) {
    discard(body)
    throw new OutboundError('UNREADABLE', 'The response uses a compression format that was not requested.')
  }
  let bytes = new Uint8Array()
  await pipeline(
    body,
    (wire: AsyncIterable<Buffer>) => capped(wire, maxBytes),
    unpacker(),
    async (unpacked: AsyncIterable<Buffer>) => {
      bytes = await collect(capped(unpacked, maxBytes), heard)
    }
  )
  return bytes
}

/** Lets go of a body unread. The connection is closed with it: the body could be endless. */
export function discard(body: Readable): void {
  body.on('error', () => {}) // says that it was aborted, which is what we ask for
  body.destroy()
}

export const tooLarge = (maxBytes: number) =>
  new OutboundError('TOO_LARGE', `The response is larger than the limit of ${sizeInWords(maxBytes)}.`)

const sizeInWords = (bytes: number) =>
  bytes < 1024 * 1024
    ? `${Math.ceil(bytes / 1024)} KiB`
    : `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB`

async function* capped(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let count = 0
  for await (const chunk of source) {
    count += chunk.length
    if (count > maxBytes) throw tooLarge(maxBytes)
    yield chunk
  }
}

async function collect(
  source: AsyncIterable<Buffer>,
  heard?: (piece: Uint8Array) => void
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  for await (const chunk of source) {
    chunks.push(chunk)
    heard?.(chunk)
  }
  const bytes = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
