import * as z from 'zod/mini'

/** The ID of a new alarm, and when it goes off first. */
export const AlarmSet = z.object({
  alarmId: z.string(),
  nextAt: z.iso.datetime(),
  timeZone: z.optional(z.string())
})
export type AlarmSet = z.infer<typeof AlarmSet>
