/** No more than this is read for a client's sake, in bytes. */
const most = 16 * 1024 * 1024

/**
 * Reads what is left of a body that nobody wants, past its refusal, so that its client hears of that: one whose connection is
 * cut while it sends hears nothing. Node ends a request that takes too long. Never cancel a request's reader: what Node still
 * has of the body then goes to a stream that is closed, and that throws where nobody catches it.
 */
export async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    for (let read = 0; read < most; ) {
      const { done, value } = await reader.read()
      if (done) return
      read += value.byteLength
    }
  } catch {
    // The client has gone: there is nothing left to read.
  }
}
