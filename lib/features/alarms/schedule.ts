import { Cron } from 'croner'
import { invalid } from '#lib/kernel/refusal.ts'
import { longestAhead, type SetAlarm } from '#lib/protocol/session/alarm.ts'

/** When an alarm goes off first, and by what it goes on. */
export type Schedule = {
  nextAt: string
  repeatMinutes: number | null
  cron: string | null
  timeZone: string | null
}

const minute = 60_000

/**
 * What was asked for, as it is kept; throws `INVALID_INPUT`, in words that a model can act on.
 *
 * @param now the time by the database's clock, in milliseconds
 */
export function scheduleOf(asked: SetAlarm, now: number): Schedule {
  const { wakeAtISO, cron, repeatIntervalMinutes, timeZone } = asked
  if (timeZone !== undefined) checkZone(timeZone)
  if ((wakeAtISO === undefined) === (cron === undefined))
    throw invalid(`Set exactly one of wakeAtISO and cron. The current time is ${isoTime(now)}.`)
  if (wakeAtISO !== undefined) {
    const at = timeOf(wakeAtISO, timeZone)
    if (at <= now)
      throw invalid(`${wakeAtISO} is in the past: the current time is ${isoTime(now)}. Set a later time.`)
    checkAhead(at, now)
    return {
      nextAt: isoTime(at),
      repeatMinutes: repeatIntervalMinutes ?? null,
      cron: null,
      timeZone: timeZone ?? null
    }
  }
  const line = cron as string
  if (repeatIntervalMinutes !== undefined)
    throw invalid('A cron expression already repeats. Omit repeatIntervalMinutes.')
  if (timeZone === undefined)
    throw invalid('A cron expression needs a time zone. Set timeZone, for example to Europe/Berlin or UTC.')
  const at = nextByCron(checkedCron(line), timeZone, now)
  if (at === undefined)
    throw invalid(`The cron expression "${line}" matches no date. Check its day of the month and its month.`)
  checkAhead(at, now)
  return { nextAt: isoTime(at), repeatMinutes: null, cron: line.trim(), timeZone }
}

/**
 * The first time after `now`, however many were missed; undefined: there is none any more. Every so many minutes counts from
 * the time that was due, so that it does not drift.
 */
export function timeAfter(
  { nextAt, repeatMinutes, cron, timeZone }: Schedule,
  now: number
): string | undefined {
  if (repeatMinutes !== null) {
    const [due, pause] = [Date.parse(nextAt), repeatMinutes * minute]
    return isoTime(due + pause * (Math.floor(Math.max(0, now - due) / pause) + 1))
  }
  const at = cron === null || timeZone === null ? undefined : nextByCron(cron, timeZone, now)
  return at === undefined ? undefined : isoTime(at)
}

/**
 * By the clock on the wall of that zone. A time that a clock skips when it is put forward is when the clock goes on; one that
 * there is twice when it is put back is the first; what is meant for every hour, or every few minutes, goes on through both.
 */
function nextByCron(cron: string, timeZone: string, after: number): number | undefined {
  return new Cron(cron, { timezone: timeZone, paused: true }).nextRun(new Date(after))?.getTime()
}

/** Five fields of numbers, names, `*`, lists, ranges and steps; nothing of what only some know. */
function checkedCron(cron: string): string {
  const fields = cron.trim().split(/\s+/)
  const words = `"${cron}" is not a valid cron expression. Use five fields (minute, hour, day of month, month, day of week), for example "0 9 * * 1-5".`
  if (fields.length !== 5 || !fields.every(field => /^[\dA-Za-z*,/-]+$/.test(field))) throw invalid(words)
  const names = fields.map(field => field.match(/[A-Za-z]+/g) ?? [])
  if (names.some((found, at) => found.some(name => !known[at]?.includes(name.toUpperCase()))))
    throw invalid(words)
  try {
    new Cron(cron, { paused: true })
    return cron
  } catch (error) {
    throw invalid(
      `${words} ${error instanceof Error ? error.message.replace(/^CronPattern: /, '') : ''}`.trim()
    )
  }
}

const known: Record<number, string[]> = {
  3: 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' '),
  4: 'SUN MON TUE WED THU FRI SAT'.split(' ')
}

const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/
const onTheWall = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(\.\d{1,9})?$/

function timeOf(text: string, timeZone: string | undefined): number {
  const isWhole = withOffset.test(text)
  const wall = onTheWall.exec(text)
  const example = '2027-03-01T09:00:00+01:00'
  if (!isWhole && wall === null)
    throw invalid(`"${text}" is not an ISO 8601 time. Use the format ${example}.`)
  if (!isWhole && timeZone === undefined)
    throw invalid(`"${text}" has no UTC offset. Add the offset, as in ${example}, or set timeZone.`)
  const at = wall === null ? Date.parse(text) : onThatDay(wall, timeZone as string)
  if (at === undefined || Number.isNaN(at) || !isThatDay(text))
    throw invalid(`"${text}" is not a valid date and time.`)
  return at
}

/** A time on the wall of a zone. One that the clock skips there is as much later, one that there is twice the first. */
function onThatDay([, date, hour, seconds = ':00']: RegExpExecArray, timezone: string): number | undefined {
  try {
    return new Cron(`${date}T${hour}${seconds}`, { timezone, paused: true }).nextRun(new Date(0))?.getTime()
  } catch {
    return undefined
  }
}

/** `Date.parse` takes 30 February for 2 March. */
function isThatDay(text: string): boolean {
  const [year, month, day] = text.slice(0, 10).split('-').map(Number) as [number, number, number]
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

function checkZone(timeZone: string): void {
  try {
    if (/^[+-]/.test(timeZone)) throw new RangeError('An offset is not a time zone.')
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw invalid(
      `"${timeZone}" is not a known time zone. Use an IANA name, for example Europe/Berlin or UTC.`
    )
  }
}

function checkAhead(at: number, now: number): void {
  if (at - now > longestAhead * minute)
    throw invalid(
      `${isoTime(at)} is more than 366 days ahead. Set an earlier alarm, and set the next one when it goes off.`
    )
}

const isoTime = (ms: number): string => new Date(ms).toISOString()
