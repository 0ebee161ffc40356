import { z } from 'zod'

/** A moment as every answer has it: ISO 8601 in UTC, the database's clock. */
export const Time = z.iso.datetime()
