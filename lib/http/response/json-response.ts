import { FastResponse } from 'srvx'

/** Builds a JSON response. `FastResponse` passes the text to Node without a stream in between. */
export const jsonResponse = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new FastResponse(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers }
  })
