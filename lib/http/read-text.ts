import { invalid, Refusal } from '#lib/kernel/refusal.ts'

/**
 * A request's body as text, read with a hard cap while it arrives: what `Content-Length` says is not believed, and a
 * body that passes the cap is cut off there (`413 TOO_LARGE`). Bytes that are not UTF-8 become U+FFFD.
 */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes)
  if (request.body === null) return ''
  const decoder = new TextDecoder()
  const reader = request.body.getReader()
  let text = ''
  for (let size = 0; ; ) {
    const { done, value } = await reader.read().catch(brokenOff)
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > maxBytes) {
      await reader.cancel()
      throw tooLarge(maxBytes)
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** Its client has gone: nobody reads this answer, and it is no fault of ours. */
function brokenOff(): never {
  throw invalid('This request broke off before its body had come.')
}

const tooLarge = (maxBytes: number) =>
  new Refusal('TOO_LARGE', `This request is larger than ${sizeInWords(maxBytes)}, the most this call takes.`)

const sizeInWords = (bytes: number) =>
  bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MiB` : bytes >= 1024 ? `${bytes / 1024} KiB` : `${bytes} bytes`
