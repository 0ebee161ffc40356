/**
 * How long another server asks us to stay away, in milliseconds: `retry-after-ms`, else `retry-after` as seconds or
 * as an HTTP date (RFC 9110, 10.2.3). A date in the past is 0. Undefined when it says nothing readable.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string | undefined>> | undefined,
  now: number = Date.now()
): number | undefined {
  if (!headers) return undefined
  const said = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value).trim()])
  )
  const milliseconds = decimal(said.get('retry-after-ms'))
  if (milliseconds !== undefined) return Math.ceil(milliseconds)
  const after = said.get('retry-after')
  if (!after) return undefined
  const seconds = decimal(after)
  if (seconds !== undefined) return Math.ceil(seconds * 1000)
  // `Date.parse` also takes "-5" and other things that are no date of HTTP.
  const date = /^[A-Za-z]{3,9},? .*:/.test(after) ? Date.parse(after) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const decimal = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,12}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined
