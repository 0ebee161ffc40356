import { drain } from '#lib/http/drain.ts'
import { invalid, Refusal } from '#lib/kernel/refusal.ts'
import { sizeWords } from '#lib/protocol/session/kept-file.ts'
import { checkEncoding } from './check-encoding.ts'

/** A request's body as it is, read as it comes and cut off where it passes the cap (`413 TOO_LARGE`). */
export async function readBytes(request: Request, maxBytes: number, what = 'file'): Promise<Uint8Array> {
  checkEncoding(request)
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes, what)
  const pieces: Uint8Array[] = []
  const reader = request.body?.getReader()
  for (let size = 0; reader !== undefined; ) {
    const { done, value } = await reader.read().catch(brokenOff)
    if (done) break
    size += value.byteLength
    if (size > maxBytes) {
      void drain(reader)
      throw tooLarge(maxBytes, what)
    }
    pieces.push(value)
  }
  return Buffer.concat(pieces)
}

/** Its client has gone: nobody reads this answer, and it is no fault of ours. */
function brokenOff(): never {
  throw invalid('The request ended before its body was complete. Send the request again.')
}

const tooLarge = (maxBytes: number, what: string) =>
  new Refusal(
    'TOO_LARGE',
    `This ${what} is larger than the limit of ${sizeWords(maxBytes)}. Send a smaller ${what}.`
  )
