/** Returns a response with a JSON body, which caches do not store. */
export const respond = (status: number, body: Record<string, unknown>): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store' } })

/** Returns an error response in the form of Waystation's own. The server shows it with the delivery. */
export const problem = (status: number, code: string, error: string): Response =>
  respond(status, { error, code })
