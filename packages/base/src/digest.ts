import { createHash } from 'node:crypto'
import { canonicalJson } from '@waystation/protocol/canonical-json.ts'

/** Returns the SHA-256 of a value's canonical JSON. Equal values have equal digests, regardless of formatting. */
export const digestOf = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalJson(value) ?? 'null')
    .digest('hex')
