import { untilAborted } from '#lib/http/until-aborted.ts'
import { attachment } from './disposition.ts'

export type JsonLinesOptions = {
  /** Ends it: the client has gone, may no longer look, or the server stops. */
  signal: AbortSignal
  /** What the file is called. */
  name: string
  /** Characters that are sent at a stroke. */
  pageSize?: number
  /** A client that takes nothing for this long is dropped. Milliseconds. */
  stallMs?: number
}

/**
 * A file of JSON lines (https://jsonlines.org) from anything that can be iterated. The source is read only as fast as the
 * client reads: a page at a time, none ahead. Whatever ends it early breaks the connection off, so that nobody takes half a
 * file for a whole one.
 */
export function jsonLines(
  source: AsyncIterable<unknown>,
  { signal, name, pageSize = 64 * 1024, stallMs = 60_000 }: JsonLinesOptions
): Response {
  const lines = untilAborted(source, signal)
  const encoder = new TextEncoder()
  let patience: NodeJS.Timeout | undefined
  let breakOff = (_: string) => {}
  const stop = () => breakOff('The export was interrupted.')
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        breakOff = why => {
          controller.error(new Error(why))
          void lines.return(undefined)
        }
        if (signal.aborted) stop()
        else signal.addEventListener('abort', stop, { once: true })
      },
      async pull(controller) {
        clearTimeout(patience)
        let page = ''
        while (page.length < pageSize) {
          const { done, value } = await lines.next()
          if (signal.aborted) return
          if (done) {
            // With a listener it would be kept for as long as the server lives.
            signal.removeEventListener('abort', stop)
            if (page !== '') controller.enqueue(encoder.encode(page))
            return controller.close()
          }
          page += `${JSON.stringify(value)}\n`
        }
        controller.enqueue(encoder.encode(page))
        patience = setTimeout(() => breakOff('The client did not read for too long.'), stallMs)
      },
      async cancel() {
        clearTimeout(patience)
        signal.removeEventListener('abort', stop)
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
