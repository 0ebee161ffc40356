import canonicalize from 'canonicalize'

/**
 * Returns a value's canonical JSON (RFC 8785), which is the same text for equal values; undefined for undefined. As in
 * stored JSON, a number that JSON cannot express is null (`1e999` parses as Infinity).
 */
export function canonicalJson(value: unknown): string | undefined {
  try {
    return canonicalize(value)
  } catch {
    // The library refuses such numbers. This second pass is rare, and throws if the value is not JSON at all.
    return canonicalize(JSON.parse(JSON.stringify(value)))
  }
}
