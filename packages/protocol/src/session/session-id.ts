import { z } from 'zod'

/** A session ID that the client chooses: 1–128 of `[A-Za-z0-9_-]` after trimming (000-8). */
export const SessionId = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9_-]+$/, 'use only letters, digits, - and _')

export const InSession = z.object({ sessionId: z.string() })
export type InSession = z.infer<typeof InSession>
