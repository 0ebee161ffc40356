import { customAlphabet } from 'nanoid'

const random = customAlphabet('0123456789abcdefghijkmnpqrstuvwxyz', 20)

/** A new ID that says what it names: `turn_` and 20 letters and digits (about 100 random bits). */
export const newId = (prefix: string): string => `${prefix}_${random()}`
