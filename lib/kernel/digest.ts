import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** SHA-256 of a value's canonical JSON (RFC 8785): equal for equal values, however they were written. */
export const digestOf = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? 'null')
    .digest('hex')
