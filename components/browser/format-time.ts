const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const hhmm = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const hhmmss = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short' })
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

const dateAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0)

/** Returns the local time: "14:02" today, "Fri 14:02" within six days, otherwise "12 Mar 14:02". */
export function clock(iso: string, now: number): string {
  const at = Date.parse(iso)
  const days = Math.round((midnight(at) - midnight(now)) / day)
  if (days === 0) return hhmm.format(at)
  return `${Math.abs(days) < 7 ? weekday.format(at) : dayAndMonth.format(at)} ${hhmm.format(at)}`
}

/** Returns the local time to the second, for logs: "14:02:07". */
export const exact = (iso: string): string => hhmmss.format(Date.parse(iso))

/** Returns the local date with its year, and the time to the second: "12 Mar 2026, 14:02:07". */
export const dated = (iso: string): string => dateAndTime.format(Date.parse(iso))

/** Returns the local time, to the second if it is today, otherwise like `clock`: "Fri 14:02". */
export function exactOrClock(iso: string, now: number): string {
  const words = clock(iso, now)
  return words.includes(' ') ? words : exact(iso)
}

/** Like `clock`, in at most six characters: "14:02" today, otherwise only the day, "Fri" or "12 Mar". */
export function clockOrDay(iso: string, now: number): string {
  const words = clock(iso, now)
  return words.includes(' ') ? words.slice(0, words.lastIndexOf(' ')) : words
}

/** Returns the time since then, in two or three characters: "now", "4m", "3h", "2d", "5w". */
export function age(iso: string, now: number): string {
  const ms = Math.max(0, now - Date.parse(iso))
  if (ms < minute) return 'now'
  if (ms < hour) return `${Math.floor(ms / minute)}m`
  if (ms < day) return `${Math.floor(ms / hour)}h`
  return ms < 21 * day ? `${Math.floor(ms / day)}d` : `${Math.floor(ms / (7 * day))}w`
}

/** Returns the time since then in words: "just now", "4 minutes ago", "2 days ago". */
export function ago(iso: string, now: number): string {
  const ms = Math.max(0, now - Date.parse(iso))
  if (ms < minute) return 'just now'
  const [unit, size] =
    ms < hour ? (['minute', minute] as const) : ms < day ? (['hour', hour] as const) : (['day', day] as const)
  return new Intl.RelativeTimeFormat('en').format(-Math.floor(ms / size), unit)
}

/** Returns a duration in its two largest units: "0.4 s", "8 s", "3 min 12 s", "2 h 5 min", "2 d 3 h". */
export function length(ms: number): string {
  if (ms < 50) return '<0.1 s'
  if (ms < 1000) return `${(ms / 1000).toFixed(1)} s`
  const two = (big: number, unit: string, small: number, smallUnit: string) =>
    small === 0 ? `${big} ${unit}` : `${big} ${unit} ${small} ${smallUnit}`
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  if (ms < hour) return two(Math.floor(ms / minute), 'min', seconds % 60, 's')
  if (ms < day) return two(Math.floor(ms / hour), 'h', Math.floor(ms / minute) % 60, 'min')
  return two(Math.floor(ms / day), 'd', Math.floor(ms / hour) % 24, 'h')
}

/** Returns the time left in one unit: "7 d", "58 min". Days and hours are rounded, minutes and seconds rounded down. */
export function left(iso: string, now: number): string {
  const ms = Math.max(0, Date.parse(iso) - now)
  if (ms < minute) return `${Math.floor(ms / 1000)} s`
  if (ms < hour) return `${Math.floor(ms / minute)} min`
  return ms < day ? `${Math.round(ms / hour)} h` : `${Math.round(ms / day)} d`
}

/** True in the last fifth of a call's time. Its card then says what happens at the deadline. */
export const isLate = (call: { since: string; deadline: string }, now: number): boolean =>
  Date.parse(call.deadline) - now < (Date.parse(call.deadline) - Date.parse(call.since)) / 5
