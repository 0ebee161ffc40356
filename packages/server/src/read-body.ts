/** Reads the body of a request. Returns undefined as soon as it is longer than `maxBytes`. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  const reader = request.body?.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    length += part.value.length
    if (length > maxBytes) {
      await reader?.cancel()
      return undefined
    }
    chunks.push(part.value)
  }
  const body = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.length
  }
  return body
}
