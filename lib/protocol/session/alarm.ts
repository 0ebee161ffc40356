import { z } from 'zod'
import { Time } from '#lib/protocol/time.ts'
import { InSession } from './session.ts'

/** The tool by which an agent sets itself an alarm (001-20). */
export const alarmTool = 'alarm-clock'

/** Who an alarm's message is shown as sent by, and what its text begins with. */
export const alarmSender = 'Alarm clock'
export const alarmPrefix = '[Alarm Clock]'

/** The longest a repeating alarm may pause, in minutes, and the furthest ahead that any may go off: 366 days. */
export const longestAhead = 366 * 24 * 60

/** When to wake: at a time, or by a cron expression in a time zone. Which of it goes together is for the verb to say, in words. */
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
    .max(longestAhead)
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

/** An alarm that was set: its ID, and when it goes off first. */
export const AlarmSet = z.object({ alarmId: z.string(), nextAt: Time, timeZone: z.string().optional() })
export type AlarmSet = z.infer<typeof AlarmSet>

/** An open alarm. `held`: its time has come, but it waits until somebody has the session go on ("continue?"). */
export const Alarm = AlarmSet.extend({
  reminderMessage: z.string().optional(),
  repeatIntervalMinutes: z.int().optional(),
  cron: z.string().optional(),
  held: z.literal(true).optional(),
  setAt: Time,
  firedAt: Time.optional(),
  toolCallId: z.string()
})
export type Alarm = z.infer<typeof Alarm>

/** The open alarms of a session, the next first; `now` is the time by which they go off. */
export const Alarms = z.object({ alarms: z.array(Alarm), now: Time })
export type Alarms = z.infer<typeof Alarms>

export const InAlarm = InSession.extend({ alarmId: z.string().min(1).max(64) })
export type InAlarm = z.infer<typeof InAlarm>

/** Of a session: how many alarms are open, and when the next goes off. */
export const AlarmNews = z.object({ open: z.int().min(0), nextAt: Time.optional() })
export type AlarmNews = z.infer<typeof AlarmNews>
