import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/**
 * Returns the SHA-256 of a value's canonical JSON (RFC 8785). Equal values have equal digests, regardless of
 * formatting. As in stored JSON, a number that JSON cannot express is null (`1e999` parses as Infinity).
 */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex')

function canonicalJson(value: unknown): string {
  try {
    return canonicalize(value) ?? 'null'
  } catch {
    // The library refuses such numbers. This second pass is rare, and throws if the value is not JSON at all.
    return canonicalize(JSON.parse(JSON.stringify(value) ?? 'null')) ?? 'null'
  }
}
