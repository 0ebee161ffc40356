import { setTimeout as pause } from 'node:timers/promises'
import type { Outbound } from '@waystation/egress'

/** The duration of the slowest call in milliseconds. */
const slowest = 500
const prefix = 'http://slow.bench/'

/** Returns `count` URLs of a slow server. The delay grows evenly up to the last URL, the slowest. */
export const slowAddresses = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${Math.round((slowest * (n + 1)) / count)}`)

/** Answers these URLs without a network. Passes all other URLs to `fetch`. */
export const withSlow =
  (fetch: Outbound): Outbound =>
  async (url, init) => {
    if (!url.startsWith(prefix)) return fetch(url, init)
    await pause(Number(url.slice(prefix.length)), undefined, { signal: init?.signal })
    const body = new TextEncoder().encode('It is done.')
    const headers = new Headers({ 'content-type': 'text/plain' })
    return { status: 200, url, headers, body, text: () => 'It is done.' }
  }
