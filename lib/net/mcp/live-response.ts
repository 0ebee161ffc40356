import type { OutboundAnswer } from '#lib/kernel/ctx.ts'
import { responseOf } from '#lib/net/response-of.ts'

/** An answer as libraries want it that were made for `fetch`: an event stream from its first words on, all else when it is whole. */
export function liveResponse(
  ask: (heard: (piece: Uint8Array) => void) => Promise<OutboundAnswer>
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined
  let isRead = true
  const heard = (piece: Uint8Array) => {
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
  ask(heard).then(
    answer => {
      if (stream === undefined) resolve(responseOf(answer))
      else if (isRead) stream.close()
    },
    (error: unknown) => {
      if (stream === undefined) reject(error)
      else if (isRead) stream.error(error)
    }
  )
  return promise
}
