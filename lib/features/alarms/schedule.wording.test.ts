import { SetAlarm } from '@waystation/protocol/session/alarm.ts'
import { expect, test } from 'vitest'
import { scheduleOf } from './schedule.ts'

const now = Date.parse('2027-03-20T00:00:00Z')

test.each([
  [{}, /exactly one of wakeAtISO and cron\. The current time is 2027-03-20T00:00:00/],
  [{ wakeAtISO: '2028-01-01T00:00:00Z', cron: '* * * * *' }, /exactly one of wakeAtISO and cron/],
  [{ wakeAtISO: '2027-03-19T23:59:59Z' }, /in the past: the current time is 2027-03-20T00:00:00/],
  [{ wakeAtISO: '2028-03-22T00:00:00Z' }, /more than 366 days/],
  [{ wakeAtISO: 'tomorrow' }, /not an ISO 8601 time/],
  [{ wakeAtISO: '2027-06-30T09:00:00' }, /Add the offset/],
  [{ wakeAtISO: '2027-02-30T09:00:00Z' }, /not a valid date and time/],
  [{ wakeAtISO: '2027-06-31T09:00:00', timeZone: 'UTC' }, /not a valid date and time/],
  [{ wakeAtISO: '2027-06-30T25:00:00', timeZone: 'UTC' }, /not a valid date and time/],
  [{ wakeAtISO: '2027-06-30T09:00:00', timeZone: 'Mars/Base' }, /"Mars\/Base" is not a known time zone/],
  [{ cron: '0 9 * * *' }, /needs a time zone/],
  [{ cron: '0 9 * * *', timeZone: '+02:00' }, /IANA name/],
  [{ cron: '0 9 * * *', timeZone: 'UTC', repeatIntervalMinutes: 5 }, /already repeats/],
  [{ cron: '0 0 30 2 *', timeZone: 'UTC' }, /matches no date/],
  [{ cron: '0 0 31 2,4,6 *', timeZone: 'UTC' }, /matches no date/],
  [{ cron: '61 * * * *', timeZone: 'UTC' }, /minute: 61/],
  [{ cron: '*/0 * * * *', timeZone: 'UTC' }, /five fields/],
  [{ cron: '* * * * * *', timeZone: 'UTC' }, /five fields/],
  [{ cron: '@daily', timeZone: 'UTC' }, /five fields/],
  [{ cron: '0 9 L * *', timeZone: 'UTC' }, /five fields/],
  [{ cron: '0 9 MON * *', timeZone: 'UTC' }, /five fields/]
])('001-20: the alarm %j is rejected with a message that a model can act on', (input, message) => {
  expect(() => scheduleOf(SetAlarm.parse(input), now)).toThrow(message)
})
