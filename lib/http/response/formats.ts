import type { Format } from '#lib/http/stream.ts'
import { uptime } from '#lib/http/uptime.ts'
import { jsonLines } from './json-lines.ts'
import { type ServerSentEvent, sse } from './sse.ts'

/** Formats each item as a Server-Sent Event. */
export const asEvents =
  <Item>(eventOf: (item: Item) => ServerSentEvent): Format<unknown, Item> =>
  (items, { signal }) => {
    const response = sse(map(items, eventOf), { signal })
    // A client that reconnects sees from this header that the server restarted (docs/api.md).
    response.headers.set('waystation-uptime', String(uptime()))
    return response
  }

/** Formats the items as a file of JSON Lines. */
export const asLines =
  <Input>(nameOf: (input: Input) => string): Format<Input, unknown> =>
  (items, { signal, input }) =>
    jsonLines(items, { signal, name: nameOf(input) })

async function* map<T, U>(values: AsyncIterable<T>, convert: (value: T) => U) {
  for await (const value of values) yield convert(value)
}
