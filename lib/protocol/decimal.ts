import { z } from 'zod'

/**
 * A number that a path, a query or a header carries as text, in decimal digits only: JavaScript would also read `0x10`, `1e3`
 * and nothing at all as numbers. A number from JSON stays as it is.
 */
export const decimal = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    text => (typeof text === 'string' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text),
    schema
  )
