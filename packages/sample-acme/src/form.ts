import type { IncomingMessage, ServerResponse } from 'node:http'

const mostBytes = 64 * 1024

/** A request's body as text; undefined when it is longer than anything that is sent here. */
export async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= mostBytes) chunks.push(chunk)
  }
  return size > mostBytes ? undefined : Buffer.concat(chunks).toString()
}

/**
 * The fields of a form of ours, or undefined if the form was on another site. Under `no-referrer`, a browser sends
 * `Origin: null` for our own pages too, so `Sec-Fetch-Site` decides if it is present (as `lib/http/request/check-origin.ts`).
 */
export async function formOf(request: IncomingMessage, origin: string): Promise<URLSearchParams | undefined> {
  const { origin: from = 'null', 'sec-fetch-site': site = 'none' } = request.headers
  const elsewhere = (from !== 'null' && from !== origin) || (site !== 'none' && site !== 'same-origin')
  const body = elsewhere ? undefined : await bodyOf(request)
  return body === undefined ? undefined : new URLSearchParams(body)
}

/** After a form: on to the next page, by GET (RFC 9110, 15.4.4). */
export const goOn = (response: ServerResponse, location: string): void => {
  response.writeHead(303, { location, 'cache-control': 'no-store' }).end()
}
