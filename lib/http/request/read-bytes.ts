import { ApiError, invalid } from '@waystation/base/api-error.ts'
import { formatSize } from '@waystation/protocol/session/stored-file.ts'
import { drain } from '#lib/http/drain.ts'
import { checkEncoding } from './check-encoding.ts'

/** Reads a request's body in chunks. Throws `TOO_LARGE` as soon as it exceeds `maxBytes`. */
export async function readBytes(request: Request, maxBytes: number, what = 'file'): Promise<Uint8Array> {
  checkEncoding(request)
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes, what)
  const chunks: Uint8Array[] = []
  const reader = request.body?.getReader()
  for (let size = 0; reader !== undefined; ) {
    const { done, value } = await reader.read().catch(throwInterrupted)
    if (done) break
    size += value.byteLength
    if (size > maxBytes) {
      void drain(reader)
      throw tooLarge(maxBytes, what)
    }
    chunks.push(value)
  }
  return Buffer.concat(chunks)
}

/** The client has disconnected. It never sees this error, which only keeps the failure from being logged as ours. */
function throwInterrupted(): never {
  throw invalid('The request ended before its body was complete. Send the request again.')
}

const tooLarge = (maxBytes: number, what: string) =>
  new ApiError(
    'TOO_LARGE',
    `This ${what} is larger than the limit of ${formatSize(maxBytes)}. Send a smaller ${what}.`
  )
