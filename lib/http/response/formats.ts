import type { Format } from '#lib/http/stream.ts'
import { uptime } from '#lib/http/uptime.ts'
import { jsonLines } from './json-lines.ts'
import { type ServerSentEvent, sse } from './sse.ts'

/** Server-Sent Events, one for each item. */
export const asEvents =
  <Item>(eventOf: (item: Item) => ServerSentEvent): Format<unknown, Item> =>
  (items, { signal }) => {
    const response = sse(map(items, eventOf), { signal })
    // A client that comes back can tell from it that the server was restarted (docs/api.md).
    response.headers.set('waystation-uptime', String(uptime()))
    return response
  }

/** A file of JSON Lines, one for each item, that ends by itself. */
export const asLines =
  <Input>(nameOf: (input: Input) => string): Format<Input, unknown> =>
  (items, { signal, input }) =>
    jsonLines(items, { signal, name: nameOf(input) })

async function* map<T, U>(values: AsyncIterable<T>, made: (value: T) => U) {
  for await (const value of values) yield made(value)
}
