import { fetch } from 'undici'
import type { EgressPolicy } from './egress-policy.ts'
import { outboundError } from './failure.ts'
import { OutboundError } from './outbound-error.ts'
import { streamingAgentFor } from './pinned-agent.ts'
import { parseTarget } from './target.ts'

/**
 * Returns a function like `fetch` for libraries that read a response as it arrives, such as those for models. It follows
 * no redirect, so that a key goes only to the address that it was entered for. A response without data for five minutes
 * fails. Throws `OutboundError`, or the reason of an aborted signal.
 */
export const streamingFetch =
  (policy: EgressPolicy): typeof globalThis.fetch =>
  async (input, init) => {
    const url = parseTarget(input instanceof Request ? input.url : input)
    const options = { ...init, redirect: 'manual', dispatcher: streamingAgentFor(policy) }
    try {
      const response = await fetch(url, options as Parameters<typeof fetch>[1])
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel()
        throw new OutboundError(
          'TOO_MANY_REDIRECTS',
          `${url.host} redirected the request to another address.`
        )
      }
      // The types of undici's own `fetch` and of Node's differ only in name.
      return response as unknown as Response
    } catch (error) {
      init?.signal?.throwIfAborted()
      throw outboundError(error instanceof TypeError && error.cause ? error.cause : error, url.host)
    }
  }
