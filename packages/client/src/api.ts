import createFetchClient, { type Client as FetchClient } from 'openapi-fetch'
import type { Backoff } from './backoff.ts'
import { errorOf, lostBy } from './error.ts'
import type { paths } from './openapi.ts'
import { retrying } from './retrying.ts'

/** Every call of the server, by method and path, as openapi-fetch has it: `{data, error, response}`. */
export type Calls = FetchClient<paths>

/** What the calls are made with. */
export type Api = {
  url: string
  /** With the credential; not tried again. */
  fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>
  calls: Calls
  backoff: Backoff
  silence: number
}

/** How often one request is sent at most. */
const tries = 4

export const apiOf = (options: Omit<Api, 'calls'>): Api => ({
  ...options,
  calls: createFetchClient<paths>({
    baseUrl: options.url,
    fetch: retrying(options.fetch, tries, options.backoff)
  })
})

/** The body of a 2xx; anything else is thrown as a `WaystationError`. */
export async function answered<T>(
  reply: Promise<{ data?: T; error?: unknown; response: Response }>
): Promise<T> {
  const { data, error, response } = await reply.catch(cause => {
    throw lostBy(cause)
  })
  if (!response.ok) throw errorOf(response, error)
  return data as T
}
