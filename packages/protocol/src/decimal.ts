import { z } from 'zod'

/**
 * Wraps a number schema to accept decimal text from paths, queries and headers. `Number()` would also accept `0x10`,
 * `1e3` and an empty string. JSON numbers are unchanged.
 */
export const decimal = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    text => (typeof text === 'string' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text),
    schema
  )
