import { log } from '@waystation/base/log.ts'
import { untilAborted } from '#lib/http/until-aborted.ts'

/** One event of `text/event-stream`. `data` is sent as JSON, which contains no line breaks. */
export type ServerSentEvent = { id?: string | number; event?: string; data: unknown }

export type SseOptions = {
  /** Ends the stream when the client disconnects, its reader loses access or the server stops. */
  signal: AbortSignal
  /** How often a comment is sent to keep the connection open through proxies, in milliseconds. */
  keepAliveMs?: number
  /**
   * How long a client waits before it reconnects, in milliseconds. It is sent first, so that it applies however the
   * stream ends.
   */
  retryMs?: number
  /** How many bytes are buffered for a slow client. When the buffer is full, the source is not read. */
  bufferBytes?: number
  /**
   * A client that frees no buffer space for this long is disconnected, and reconnects with its cursor. Milliseconds.
   */
  stallMs?: number
}

/**
 * Streams Server-Sent Events (WHATWG HTML 9.2). It reads the source only as fast as the client reads, and always calls
 * the iterator's `return`, so that its `finally` runs. If the source throws, the stream ends. The client reconnects
 * with `Last-Event-ID`, and receives a persistent error as a status.
 */
export function sse(
  source: AsyncIterable<ServerSentEvent>,
  { signal, keepAliveMs = 15_000, retryMs = 1000, bufferBytes = 256 * 1024, stallMs = 15_000 }: SseOptions
): Response {
  const disconnected = new AbortController()
  const ended = AbortSignal.any([signal, disconnected.signal])
  const encoder = new TextEncoder()
  let onRoom = () => {}
  const onEnd = () => onRoom()
  ended.addEventListener('abort', onEnd)

  /** Resolves to false if the client frees no buffer space in time. */
  const waitForRoom = () =>
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
        const isFull = () => (controller.desiredSize ?? 0) <= 0
        const send = (text: string) => controller.enqueue(encoder.encode(text))
        const pump = async () => {
          send(`retry: ${retryMs}\n\n`)
          const keepAlive = setInterval(() => isFull() || send(': keep-alive\n\n'), keepAliveMs)
          try {
            for await (const event of untilAborted(source, ended)) {
              send(serialize(event))
              // An error instead of an end discards the buffer and the connection of a client that does not read.
              if (isFull() && !(await waitForRoom()))
                return controller.error(new Error('The client did not read for too long.'))
            }
          } finally {
            clearInterval(keepAlive)
            // A listener that is not removed would live as long as the server.
            ended.removeEventListener('abort', onEnd)
            if (!disconnected.signal.aborted && controller.desiredSize !== null) controller.close()
          }
        }
        pump().catch(error => log('error', 'an event stream ended early', { error }))
      },
      pull: () => onRoom(),
      cancel: () => disconnected.abort()
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

const serialize = ({ id, event, data }: ServerSentEvent) =>
  `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`
