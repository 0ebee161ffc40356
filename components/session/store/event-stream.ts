import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { errorBodyOf, type Fetch } from '#components/browser/http.ts'
import { type Line, Refused } from './follow.ts'
import { readSse } from './read-sse.ts'

/**
 * Follows a session with Server-Sent Events. Over HTTP/1.1, each stream uses one of the browser's six
 * connections to a host. Throws `Refused` if the server responds with 401, 403, 404 or 410.
 */
export const eventStream = (fetch: Fetch, url: string): Line =>
  async function* (after, signal) {
    const response = await fetch(`${url}?after=${after}`, {
      headers: { accept: 'text/event-stream' },
      signal
    })
    if ([401, 403, 404, 410].includes(response.status)) throw new Refused(await errorBodyOf(response))
    if (!response.ok || response.body === null)
      throw new Error(`The event stream returned HTTP ${response.status}`)
    const uptime = response.headers.get('waystation-uptime')
    yield { up: uptime === null ? undefined : Number(uptime) }
    for await (const { retry, data } of readSse(response.body)) {
      if (retry !== undefined) yield { retry }
      yield data === undefined ? 'alive' : { event: JSON.parse(data) as SessionEvent }
    }
  }
