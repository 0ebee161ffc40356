import { FastResponse } from 'srvx'

/** A whole answer as JSON. One of these reaches Node's response as the text it is, without a stream in between. */
export const jsonAnswer = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new FastResponse(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers }
  })
