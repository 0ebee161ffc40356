import { invalid } from '@waystation/base/api-error.ts'
import { maxMinutesAhead, type SetAlarm } from '@waystation/protocol/session/alarm.ts'
import { Cron } from 'croner'

/** When an alarm first goes off and how it repeats. */
export type Schedule = {
  nextAt: string
  repeatMinutes: number | null
  cron: string | null
  timeZone: string | null
}

const minute = 60_000

/**
 * Converts a tool's input to a schedule. Throws `INVALID_INPUT` with a message that the model can act on.
 *
 * @param now the time by the database's clock, in milliseconds
 */
export function scheduleOf(input: SetAlarm, now: number): Schedule {
  const { wakeAtISO, cron, repeatIntervalMinutes, timeZone } = input
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
 * Returns the first time after `now`, even if several were missed, or undefined if the schedule has ended.
 * Repeat intervals are counted from the due time, so that they do not drift.
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
 * Uses the local time of the zone. If clocks skip a time, it moves to the end of the gap; if a time occurs
 * twice, the first one is used. Schedules for every hour or every few minutes continue through both changes.
 */
function nextByCron(cron: string, timeZone: string, after: number): number | undefined {
  return new Cron(cron, { timezone: timeZone, paused: true }).nextRun(new Date(after))?.getTime()
}

/**
 * Accepts five fields of numbers, names, `*`, lists, ranges and steps, and no extensions that only some cron
 * parsers know.
 */
function checkedCron(cron: string): string {
  const fields = cron.trim().split(/\s+/)
  const problem = `"${cron}" is not a valid cron expression. Use five fields (minute, hour, day of month, month, day of week), for example "0 9 * * 1-5".`
  if (fields.length !== 5 || !fields.every(field => /^[\dA-Za-z*,/-]+$/.test(field))) throw invalid(problem)
  const names = fields.map(field => field.match(/[A-Za-z]+/g) ?? [])
  if (names.some((used, index) => used.some(name => !monthAndDayNames[index]?.includes(name.toUpperCase()))))
    throw invalid(problem)
  try {
    new Cron(cron, { paused: true })
    return cron
  } catch (error) {
    throw invalid(
      `${problem} ${error instanceof Error ? error.message.replace(/^CronPattern: /, '') : ''}`.trim()
    )
  }
}

const monthAndDayNames: Record<number, string[]> = {
  3: 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' '),
  4: 'SUN MON TUE WED THU FRI SAT'.split(' ')
}

const isoWithOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/
const isoLocal = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(\.\d{1,9})?$/

function timeOf(text: string, timeZone: string | undefined): number {
  const hasOffset = isoWithOffset.test(text)
  const local = isoLocal.exec(text)
  const example = '2027-03-01T09:00:00+01:00'
  if (!hasOffset && local === null)
    throw invalid(`"${text}" is not an ISO 8601 time. Use the format ${example}.`)
  if (!hasOffset && timeZone === undefined)
    throw invalid(`"${text}" has no UTC offset. Add the offset, as in ${example}, or set timeZone.`)
  const at = local === null ? Date.parse(text) : parseLocalTime(local, timeZone as string)
  if (at === undefined || Number.isNaN(at) || !dateExists(text))
    throw invalid(`"${text}" is not a valid date and time.`)
  return at
}

/**
 * Parses a local time of a zone. A time that clocks skip moves forward by the gap; of a time that occurs
 * twice, the first is used.
 */
function parseLocalTime(
  [, date, hour, seconds = ':00']: RegExpExecArray,
  timezone: string
): number | undefined {
  try {
    return new Cron(`${date}T${hour}${seconds}`, { timezone, paused: true }).nextRun(new Date(0))?.getTime()
  } catch {
    return undefined
  }
}

/** Returns whether the date exists: `Date.parse` reads 30 February as 2 March. */
function dateExists(text: string): boolean {
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
  if (at - now > maxMinutesAhead * minute)
    throw invalid(
      `${isoTime(at)} is more than 366 days ahead. Set an earlier alarm, and set the next one when it goes off.`
    )
}

const isoTime = (ms: number): string => new Date(ms).toISOString()
