import { drain } from '#lib/http/drain.ts'
import { invalid, Refusal } from '#lib/kernel/refusal.ts'
import { checkEncoding } from './check-encoding.ts'

/**
 * A request's body as text, with a hard cap (`413 TOO_LARGE`): a body that says its length has no more bytes than that
 * (RFC 9112, 6.3), one that does not is cut off where it passes the cap. Bytes that are not UTF-8 become U+FFFD; a body with a
 * `Content-Encoding` is `415 UNSUPPORTED_TYPE`.
 */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  checkEncoding(request)
  const length = request.headers.get('content-length')
  if (Number(length) > maxBytes) throw tooLarge(maxBytes)
  if (length !== null) return withoutMark(await request.text().catch(brokenOff))
  if (request.body === null) return ''
  const decoder = new TextDecoder()
  const reader = request.body.getReader()
  let text = ''
  for (let size = 0; ; ) {
    const { done, value } = await reader.read().catch(brokenOff)
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > maxBytes) {
      void drain(reader)
      throw tooLarge(maxBytes)
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** Without the byte order mark, which a decoder leaves out too. */
const withoutMark = (text: string) => (text.startsWith('\uFEFF') ? text.slice(1) : text)

/** Its client has gone: nobody reads this answer, and it is no fault of ours. */
function brokenOff(): never {
  throw invalid('The request ended before its body was complete. Send the request again.')
}

const tooLarge = (maxBytes: number) =>
  new Refusal(
    'TOO_LARGE',
    `This request is larger than the limit of ${sizeInWords(maxBytes)}. Send a smaller request.`
  )

const sizeInWords = (bytes: number) =>
  bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MiB` : bytes >= 1024 ? `${bytes / 1024} KiB` : `${bytes} bytes`
