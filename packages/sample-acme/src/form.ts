import type { IncomingMessage, ServerResponse } from 'node:http'

/** The maximum size of a request body. */
const maxBodyBytes = 64 * 1024

/** Returns the body of a request as text, or undefined if it is larger than 64 KiB. Always reads it to the end. */
export async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxBodyBytes) chunks.push(chunk)
  }
  return size > maxBodyBytes ? undefined : Buffer.concat(chunks).toString()
}

/**
 * Returns the fields of a form on one of our pages. Returns undefined if the form was on another site, or if the body
 * is larger than 64 KiB.
 *
 * With the policy `no-referrer`, a browser sends `Origin: null` for our own pages too. Then `Sec-Fetch-Site` decides,
 * if the browser sends it. Unlike `lib/http/request/check-origin.ts`, this accepts a request with neither header.
 */
export async function formOf(request: IncomingMessage, origin: string): Promise<URLSearchParams | undefined> {
  const { origin: sender = 'null', 'sec-fetch-site': site = 'none' } = request.headers
  const isForeign = (sender !== 'null' && sender !== origin) || (site !== 'none' && site !== 'same-origin')
  const body = isForeign ? undefined : await bodyOf(request)
  return body === undefined ? undefined : new URLSearchParams(body)
}

/** Redirects with 303, so that the browser sends a GET request, also after a form (RFC 9110, 15.4.4). */
export const seeOther = (response: ServerResponse, location: string): void => {
  response.writeHead(303, { location, 'cache-control': 'no-store' }).end()
}
