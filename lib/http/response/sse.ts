import { untilAborted } from '#lib/http/until-aborted.ts'
import { log } from '#lib/kernel/log.ts'

/** One event of `text/event-stream`; `data` is sent as JSON, which has no line breaks of its own. */
export type ServerSentEvent = { id?: string | number; event?: string; data: unknown }

export type SseOptions = {
  /** Ends the stream: the client has gone, may no longer look, or the server stops. */
  signal: AbortSignal
  /** A comment this often, so that proxies keep the connection. Milliseconds. */
  keepAliveMs?: number
  /** How long a client waits before it comes back. Milliseconds; sent first, so that it holds however we part. */
  retryMs?: number
  /** Bytes held for a client that reads slowly; while they are all taken, the source is not read. */
  bufferBytes?: number
  /** A client that makes no room for this long is dropped and comes back with its cursor. Milliseconds. */
  stallMs?: number
}

/**
 * Server-Sent Events (WHATWG HTML 9.2) from anything that can be iterated. The source is read only as fast as the
 * client reads, and its iterator is always returned, so that its `finally` runs. An error of the source ends the
 * stream: the client reconnects with `Last-Event-ID` and, if the error stays, meets it as a status.
 */
export function sse(
  source: AsyncIterable<ServerSentEvent>,
  { signal, keepAliveMs = 15_000, retryMs = 1000, bufferBytes = 256 * 1024, stallMs = 15_000 }: SseOptions
): Response {
  const gone = new AbortController()
  const ended = AbortSignal.any([signal, gone.signal])
  const encoder = new TextEncoder()
  let onRoom = () => {}
  const onEnd = () => onRoom()
  ended.addEventListener('abort', onEnd)

  /** False when the client has made no room in time. */
  const room = () =>
    new Promise<boolean>(resolve => {
      const timer = setTimeout(resolve, stallMs, false)
      onRoom = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const full = () => (controller.desiredSize ?? 0) <= 0
        const send = (text: string) => controller.enqueue(encoder.encode(text))
        const pump = async () => {
          send(`retry: ${retryMs}\n\n`)
          const keepAlive = setInterval(() => full() || send(': keep-alive\n\n'), keepAliveMs)
          try {
            for await (const event of untilAborted(source, ended)) {
              send(written(event))
              // An error and not an end: nothing that waits for a client that takes nothing is kept, nor its connection.
              if (full() && !(await room()))
                return controller.error(new Error('The client did not read for too long.'))
            }
          } finally {
            clearInterval(keepAlive)
            // With a listener it would be kept for as long as the server lives.
            ended.removeEventListener('abort', onEnd)
            if (!gone.signal.aborted && controller.desiredSize !== null) controller.close()
          }
        }
        pump().catch(error => log('error', 'an event stream ended early', { error }))
      },
      pull: () => onRoom(),
      cancel: () => gone.abort()
    },
    { highWaterMark: bufferBytes, size: chunk => chunk?.byteLength ?? 0 }
  )

  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no'
    }
  })
}

const written = ({ id, event, data }: ServerSentEvent) =>
  `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`
