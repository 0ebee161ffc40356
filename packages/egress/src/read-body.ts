import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { OutboundError } from './outbound-error.ts'

/** The encodings that we request and that `readBody` can decompress. */
export const acceptedEncodings = 'gzip, br'

const unpackers: Record<string, (() => Transform) | undefined> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress
}

/**
 * Reads and decompresses a body of at most `maxBytes`. Both the compressed and the decompressed bytes are counted as
 * they arrive, so a decompression bomb stops at the limit. Multiple layers of compression are rejected. `onData`
 * receives each decompressed chunk. An error closes the connection. Throws `TOO_LARGE` or `UNREADABLE`.
 */
export async function readBody(
  body: Readable,
  encoding: string | null,
  maxBytes: number,
  onPiece?: (piece: Uint8Array) => void
): Promise<Uint8Array> {
  const format = encoding?.trim().toLowerCase() || 'identity'
  if (format === 'identity') return collect(capped(body, maxBytes), onPiece)

  const unpacker = unpackers[format]
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
      bytes = await collect(capped(unpacked, maxBytes), onPiece)
    }
  )
  return bytes
}

/** Drops an unread body and closes its connection, because the body could be endless. */
export function discard(body: Readable): void {
  body.on('error', () => {}) // the error only reports this abort
  body.destroy()
}

/** Returns the `TOO_LARGE` error for this limit. */
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
  onPiece?: (piece: Uint8Array) => void
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  for await (const chunk of source) {
    chunks.push(chunk)
    onPiece?.(chunk)
  }
  const bytes = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
