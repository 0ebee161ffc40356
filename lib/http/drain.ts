/** How many bytes are read to let a client finish sending. */
const maxBytes = 16 * 1024 * 1024

/**
 * Reads and discards the rest of a refused request's body, so that its client receives the error. A client whose
 * connection is cut while it sends never sees the response. Node ends requests that take too long. Never cancel a
 * request's reader: Node would push the rest of the body into a closed stream, which throws an uncaught error.
 */
export async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    for (let read = 0; read < maxBytes; ) {
      const { done, value } = await reader.read()
      if (done) return
      read += value.byteLength
    }
  } catch {
    // The client has disconnected, so there is nothing left to read.
  }
}
