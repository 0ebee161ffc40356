/**
 * Sends a request. `timeout` is in milliseconds. `changes` says whether the request changes data, where its method does
 * not show that. `safeFetch` documents the rest, and its errors.
 */
export type Outbound = (
  url: string,
  init?: {
    method?: string
    headers?: Record<string, string>
    body?: string
    redirect?: 'follow' | 'manual'
    maxBytes?: number
    timeout?: number
    signal?: AbortSignal
    changes?: boolean
    partial?: boolean
    onData?: ((piece: Uint8Array) => void) | undefined
  }
) => Promise<OutboundResponse>

/** `url` is the URL after redirects. `text()` decodes the body by byte order mark, then charset, then UTF-8. */
export type OutboundResponse = {
  status: number
  url: string
  headers: Headers
  body: Uint8Array
  text: () => string
}
