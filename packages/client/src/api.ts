import createFetchClient, { type Client as FetchClient } from 'openapi-fetch'
import type { Backoff } from './backoff.ts'
import { errorOf, lostBy } from './error.ts'
import type { paths } from './openapi.ts'
import { retrying } from './retrying.ts'

/**
 * Every operation of the HTTP API, typed by method and path. As in openapi-fetch, each resolves to
 * `{data, error, response}`, also for error responses.
 */
export type Calls = FetchClient<paths>

/** The parts that all functions of a client share. */
export type Api = {
  url: string
  /** Sends the credential. Does not retry. */
  fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>
  calls: Calls
  backoff: Backoff
  /** After this many ms without data, an event stream reconnects. */
  silence: number
}

/** Maximum number of attempts for a request. */
const tries = 4

export const apiOf = (options: Omit<Api, 'calls'>): Api => ({
  ...options,
  calls: createFetchClient<paths>({
    baseUrl: options.url,
    fetch: retrying(options.fetch, tries, options.backoff)
  })
})

/** Returns the body of a 2xx response. Throws a `WaystationError` for other responses and if none arrives. */
export async function answered<T>(
  reply: Promise<{ data?: T; error?: unknown; response: Response }>
): Promise<T> {
  const { data, error, response } = await reply.catch(cause => {
    throw lostBy(cause)
  })
  if (!response.ok) throw errorOf(response, error)
  return data as T
}
