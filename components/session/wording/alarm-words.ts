import type { Call } from '@waystation/protocol/call/call.ts'
import type { Alarm, SetAlarm } from '@waystation/protocol/session/alarm.ts'
import { AlarmSet } from '@waystation/protocol/session/alarm-set.ts'
import { clock } from '#components/browser/format-time.ts'

const day = 24 * 60 * 60_000

/** Formats a future time in local time: "14:02", "tomorrow 09:00", "Fri 09:00", "12 Mar 09:00". */
export function wakeClock(iso: string, now: number): string {
  const words = clock(iso, now)
  const tomorrow = new Date(now)
  tomorrow.setDate(tomorrow.getDate() + 1)
  const isTomorrow = new Date(Date.parse(iso)).toDateString() === tomorrow.toDateString()
  return isTomorrow && Math.abs(Date.parse(iso) - now) < 2 * day
    ? `tomorrow ${words.split(' ').at(-1)}`
    : words
}

type Repeats = Pick<SetAlarm, 'repeatIntervalMinutes' | 'cron' | 'timeZone'>

/**
 * Describes how an alarm repeats, or returns undefined if it does not:
 * "every 5 min", "every hour", "Mon–Fri at 09:00, Europe/Berlin", "cron 0 9 1 * *, UTC".
 */
export function repeatWords({ repeatIntervalMinutes: minutes, cron, timeZone }: Repeats): string | undefined {
  if (cron !== undefined) return [byCron(cron), timeZone].filter(Boolean).join(', ')
  if (minutes === undefined) return undefined
  const [count, one, unit] =
    minutes % 1440 === 0
      ? [minutes / 1440, 'day', 'd']
      : minutes % 60 === 0
        ? [minutes / 60, 'hour', 'h']
        : [minutes, 'minute', 'min']
  return count === 1 ? `every ${one}` : `every ${count} ${unit}`
}

const days: Record<string, string> = { '*': 'daily', '1-5': 'Mon–Fri', 'MON-FRI': 'Mon–Fri' }

function byCron(cron: string): string {
  const [minute = '', hour = '', ...rest] = cron.split(/\s+/)
  const when = rest[0] === '*' && rest[1] === '*' ? days[rest[2]?.toUpperCase() ?? ''] : undefined
  const at = [hour, minute].every(part => /^\d\d?$/.test(part))
  return when === undefined || !at
    ? `cron ${cron}`
    : `${when} at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
}

/** Describes when an open alarm wakes the agent: "Wakes tomorrow 09:00". The time can be in the past. */
export function wakeWords({ nextAt, held }: Pick<Alarm, 'nextAt' | 'held'>, now: number): string {
  if (held) return 'Paused until someone selects “Continue”'
  return Date.parse(nextAt) <= now ? 'Wakes now' : `Wakes ${wakeClock(nextAt, now)}`
}

/**
 * Describes the alarm that a call has set: "tomorrow 09:00 · every hour · Look at the build". Returns
 * undefined while it has set none.
 */
export function setWords(call: Call, now: number | undefined): string | undefined {
  const set = AlarmSet.safeParse(call.output)
  if (!set.success || now === undefined) return undefined
  const asked = (call.editedInput ?? call.input) as Partial<SetAlarm>
  return [wakeClock(set.data.nextAt, now), repeatWords(asked), asked.reminderMessage]
    .filter(Boolean)
    .join(' · ')
}
