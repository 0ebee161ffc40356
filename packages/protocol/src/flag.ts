import { z } from 'zod'

/** A boolean: in JSON, or as text in a query (`?trouble=true`). */
export const flag = z.union([z.boolean(), z.stringbool()])
