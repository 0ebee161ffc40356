import { untilAborted } from '#lib/http/until-aborted.ts'
import { attachment } from './disposition.ts'

export type JsonLinesOptions = {
  /** Ends the response when the client disconnects, its reader loses access or the server stops. */
  signal: AbortSignal
  /** Name of the file, without its extension. */
  name: string
  /** How many characters are sent at once. */
  pageSize?: number
  /** A client that reads nothing for this long is disconnected. Milliseconds. */
  stallMs?: number
}

/**
 * Streams a file of JSON Lines (https://jsonlines.org). It reads the source one page at a time, only as fast as the
 * client reads. If it ends early, the connection breaks, so that a client never mistakes a partial file for a complete
 * one.
 */
export function jsonLines(
  source: AsyncIterable<unknown>,
  { signal, name, pageSize = 64 * 1024, stallMs = 60_000 }: JsonLinesOptions
): Response {
  const lines = untilAborted(source, signal)
  const encoder = new TextEncoder()
  let stallTimer: NodeJS.Timeout | undefined
  let fail = (_: string) => {}
  const interrupt = () => fail('The export was interrupted.')
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        fail = reason => {
          controller.error(new Error(reason))
          void lines.return(undefined)
        }
        if (signal.aborted) interrupt()
        else signal.addEventListener('abort', interrupt, { once: true })
      },
      async pull(controller) {
        clearTimeout(stallTimer)
        let page = ''
        while (page.length < pageSize) {
          const { done, value } = await lines.next()
          if (signal.aborted) return
          if (done) {
            // A listener that is not removed would live as long as the server.
            signal.removeEventListener('abort', interrupt)
            if (page !== '') controller.enqueue(encoder.encode(page))
            return controller.close()
          }
          page += `${JSON.stringify(value)}\n`
        }
        controller.enqueue(encoder.encode(page))
        stallTimer = setTimeout(() => fail('The client did not read for too long.'), stallMs)
      },
      async cancel() {
        clearTimeout(stallTimer)
        signal.removeEventListener('abort', interrupt)
        await lines.return(undefined)
      }
    },
    { highWaterMark: 0 }
  )
  return new Response(body, {
    headers: {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': attachment(name, 'jsonl'),
      'cache-control': 'no-store'
    }
  })
}
