/**
 * Returns how long another server asks us to wait, in milliseconds. It reads `retry-after-ms`, or else `retry-after` in
 * seconds or as an HTTP date (RFC 9110, 10.2.3). A date in the past is 0. Undefined if neither is readable.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string | undefined>> | undefined,
  now: number = Date.now()
): number | undefined {
  if (!headers) return undefined
  const byName = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value).trim()])
  )
  const milliseconds = decimal(byName.get('retry-after-ms'))
  if (milliseconds !== undefined) return Math.ceil(milliseconds)
  const after = byName.get('retry-after')
  if (!after) return undefined
  const seconds = decimal(after)
  if (seconds !== undefined) return Math.ceil(seconds * 1000)
  // `Date.parse` also accepts "-5" and other text that is not an HTTP date.
  const date = /^[A-Za-z]{3,9},? .*:/.test(after) ? Date.parse(after) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const decimal = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,12}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined
