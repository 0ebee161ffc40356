import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/**
 * Returns the SHA-256 of a value's canonical JSON (RFC 8785). Equal values have equal digests, regardless of
 * formatting.
 */
export const digestOf = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? 'null')
    .digest('hex')
