import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'
import { AlarmSet } from './alarm-set.ts'
import { InSession } from './session-id.ts'

/** Maximum interval of a repeating alarm, and the furthest time ahead for any alarm, in minutes (366 days). */
export const maxMinutesAhead = 366 * 24 * 60

/**
 * Sets an alarm for a time, or for a cron expression in a time zone. The verb rejects invalid combinations with an
 * explanation.
 */
export const SetAlarm = z.strictObject({
  wakeAtISO: z
    .string()
    .max(40)
    .optional()
    .describe(
      'The time, in ISO 8601: with an offset (2027-03-01T09:00:00+01:00 or …Z), or without one if you set timeZone. Set either this or cron.'
    ),
  repeatIntervalMinutes: z
    .int()
    .min(1)
    .max(maxMinutesAhead)
    .optional()
    .describe('With wakeAtISO: repeats the alarm every so many minutes. For a time of day, use cron.'),
  cron: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Five fields: minute, hour, day of the month, month, day of the week. Example: "0 9 * * 1-5" is 9:00 on weekdays.'
    ),
  timeZone: z
    .string()
    .max(64)
    .optional()
    .describe('An IANA time zone, such as Europe/Berlin. Required with cron.'),
  reminderMessage: z
    .string()
    .trim()
    .min(1)
    .max(2000)
    .optional()
    .describe('The message you receive at that time. It must make sense on its own.')
})
export type SetAlarm = z.infer<typeof SetAlarm>

/** An open alarm. `held`: it is due, but waits until a user continues the session ("continue?"). */
export const Alarm = z.object({
  ...AlarmSet.shape,
  reminderMessage: z.string().optional(),
  repeatIntervalMinutes: z.int().optional(),
  cron: z.string().optional(),
  held: z.literal(true).optional(),
  setAt: Time,
  firedAt: Time.optional(),
  toolCallId: z.string()
})
export type Alarm = z.infer<typeof Alarm>

/** The open alarms of a session, the next one first. `now` is the server's time. */
export const Alarms = z.object({ alarms: z.array(Alarm), now: Time })
export type Alarms = z.infer<typeof Alarms>

export const InAlarm = InSession.extend({ alarmId: z.string().min(1).max(64) })
export type InAlarm = z.infer<typeof InAlarm>

/** The number of open alarms of a session, and when the next one goes off. */
export const AlarmNews = z.object({ open: z.int().min(0), nextAt: Time.optional() })
export type AlarmNews = z.infer<typeof AlarmNews>
