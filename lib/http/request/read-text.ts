import { ApiError, invalid } from '@waystation/base/api-error.ts'
import { drain } from '#lib/http/drain.ts'
import { checkEncoding } from './check-encoding.ts'

/**
 * Reads a request's body as text. Throws `TOO_LARGE` over `maxBytes`, and `UNSUPPORTED_TYPE` if there is a
 * `Content-Encoding`. A body with `Content-Length` cannot be longer than that (RFC 9112, 6.3). Other bodies are cut off
 * when they pass the limit. Bytes that are not UTF-8 become U+FFFD.
 */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  checkEncoding(request)
  const length = request.headers.get('content-length')
  if (Number(length) > maxBytes) throw tooLarge(maxBytes)
  if (length !== null) return withoutByteOrderMark(await request.text().catch(throwInterrupted))
  if (request.body === null) return ''
  const decoder = new TextDecoder()
  const reader = request.body.getReader()
  let text = ''
  for (let size = 0; ; ) {
    const { done, value } = await reader.read().catch(throwInterrupted)
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > maxBytes) {
      void drain(reader)
      throw tooLarge(maxBytes)
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** Removes the byte order mark, as a decoder does. */
const withoutByteOrderMark = (text: string) => (text.startsWith('\uFEFF') ? text.slice(1) : text)

/** The client has disconnected. It never sees this error, which only keeps the failure from being logged as ours. */
function throwInterrupted(): never {
  throw invalid('The request ended before its body was complete. Send the request again.')
}

const tooLarge = (maxBytes: number) =>
  new ApiError(
    'TOO_LARGE',
    `This request is larger than the limit of ${formatSize(maxBytes)}. Send a smaller request.`
  )

const formatSize = (bytes: number) =>
  bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MiB` : bytes >= 1024 ? `${bytes / 1024} KiB` : `${bytes} bytes`
