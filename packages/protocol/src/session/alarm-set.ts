import * as z from 'zod/mini'

/** The ID of a new alarm, and when it goes off first. The tool checks the time: browsers need no code for that. */
export const AlarmSet = z.object({
  alarmId: z.string(),
  nextAt: z.string(),
  timeZone: z.optional(z.string())
})
export type AlarmSet = z.infer<typeof AlarmSet>
