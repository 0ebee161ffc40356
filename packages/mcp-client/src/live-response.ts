import { type OutboundResponse, responseOf } from '@waystation/egress'

/**
 * Converts a request to a `Response`, for libraries that expect `fetch`. An event stream resolves with its first bytes,
 * other responses when they are complete.
 */
export function liveResponse(
  ask: (onPiece: (piece: Uint8Array) => void) => Promise<OutboundResponse>
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined
  let isRead = true
  const onPiece = (piece: Uint8Array) => {
    if (stream === undefined) {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          stream = controller
        },
        cancel() {
          isRead = false
        }
      })
      resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
    }
    if (isRead) stream?.enqueue(piece)
  }
  ask(onPiece).then(
    response => {
      if (stream === undefined) resolve(responseOf(response))
      else if (isRead) stream.close()
    },
    (error: unknown) => {
      if (stream === undefined) reject(error)
      else if (isRead) stream.error(error)
    }
  )
  return promise
}
