import { z } from 'zod'

/** A time as in all responses: ISO 8601 in UTC, from the database's clock. */
export const Time = z.iso.datetime()
