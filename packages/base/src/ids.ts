import { customAlphabet } from 'nanoid'

const random = customAlphabet('0123456789abcdefghijkmnpqrstuvwxyz', 20)

/** Returns a new ID with a prefix for its type: `turn_` and 20 random letters and digits (about 100 bits). */
export const newId = (prefix: string): string => `${prefix}_${random()}`
