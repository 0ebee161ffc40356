import { randomBytes } from 'node:crypto'

const alphabet = '0123456789abcdefghijkmnpqrstuvwxyz'

/** A new ID that says what it names: `turn_` and 20 letters and digits (about 100 random bits). */
export const newId = (prefix: string): string =>
  `${prefix}_${Array.from(randomBytes(20), byte => alphabet[byte % alphabet.length]).join('')}`
