import { ToolError } from '@waystation/base/known-error.ts'
import type { Outbound, OutboundResponse } from '@waystation/egress'
import type { HttpRequest } from '@waystation/protocol/connection/http-request.ts'
import type { ReachableService } from './services.ts'

/** Time limit of one request in seconds, and the most bytes of a response. */
export const requestSeconds = 30
const maxResponseBytes = 1024 * 1024
const maxRedirects = 5

/**
 * Sends a request to a service with `fetch`, which adds the account. Redirects of GET and HEAD are followed within the
 * service's origins. `unfollowed` is the target of another redirect.
 */
export async function sendRequest(
  service: Pick<ReachableService, 'origins'>,
  { url: address, method, headers, body }: HttpRequest,
  fetch: Outbound
): Promise<{ response: OutboundResponse; unfollowed: URL | null }> {
  const init = {
    method,
    headers: headersOf(headers, body),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    redirect: 'manual' as const,
    maxBytes: maxResponseBytes,
    timeout: requestSeconds * 1000
  }
  let url = new URL(address)
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url.href, init)
    const location = response.headers.get('location')
    const next = response.status >= 300 && location !== null ? URL.parse(location, url.href) : null
    // An approver agreed to this request. A redirect must not send its body to another URL.
    if (next === null || !/^(GET|HEAD)$/.test(method) || !service.origins.includes(next.origin))
      return { response, unfollowed: next }
    if (redirects >= maxRedirects)
      throw new ToolError(`${url.host} redirected more than ${maxRedirects} times.`)
    url = next
  }
}

/** Returns the headers in lowercase. A body that is not text is JSON, unless a header says otherwise. */
function headersOf(headers: HttpRequest['headers'] = {}, body: HttpRequest['body']): Record<string, string> {
  const named = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  )
  return body === undefined || typeof body === 'string'
    ? named
    : { 'content-type': 'application/json', ...named }
}
