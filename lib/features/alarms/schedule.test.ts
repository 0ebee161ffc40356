import { SetAlarm } from '@waystation/protocol/session/alarm.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'
import { scheduleOf, timeAfter } from './schedule.ts'

const at = (iso: string) => Date.parse(iso)
const berlin = 'Europe/Berlin'

/** Returns the next `count` times at which a cron expression is due, starting after `from`. */
function times(cron: string, timeZone: string, from: string, count: number): string[] {
  let now = at(from)
  return Array.from({ length: count }, () => {
    const next = timeAfter({ nextAt: from, repeatMinutes: null, cron, timeZone }, now) as string
    now = at(next)
    return next.slice(0, 16)
  })
}

describe('001-20: a cron alarm follows the local time of its zone', () => {
  test('nine o’clock stays nine o’clock when clocks go forward or back', () => {
    expect(times('0 9 * * *', berlin, '2027-03-26T12:00:00Z', 3)).toEqual([
      '2027-03-27T08:00',
      '2027-03-28T07:00',
      '2027-03-29T07:00'
    ])
    expect(times('0 9 * * *', berlin, '2027-10-29T12:00:00Z', 3)).toEqual([
      '2027-10-30T07:00',
      '2027-10-31T08:00',
      '2027-11-01T08:00'
    ])
  })

  test('an alarm at a skipped time goes off once when the gap ends, and at its usual time the next day', () => {
    expect(times('30 2 * * *', berlin, '2027-03-27T12:00:00Z', 2)).toEqual([
      '2027-03-28T01:00',
      '2027-03-29T00:30'
    ])
    expect(times('15 2 * * *', 'America/New_York', '2027-03-13T12:00:00Z', 2)).toEqual([
      '2027-03-14T07:00',
      '2027-03-15T06:15'
    ])
  })

  test('an alarm at a time that occurs twice goes off the first time', () => {
    expect(times('30 2 * * *', berlin, '2027-10-30T12:00:00Z', 2)).toEqual([
      '2027-10-31T00:30',
      '2027-11-01T01:30'
    ])
  })

  test('an alarm for every half hour goes off every half hour through both clock changes', () => {
    expect(times('*/30 * * * *', berlin, '2027-03-28T00:00:00Z', 4)).toEqual([
      '2027-03-28T00:30',
      '2027-03-28T01:00',
      '2027-03-28T01:30',
      '2027-03-28T02:00'
    ])
    expect(times('*/30 * * * *', berlin, '2027-10-31T00:00:00Z', 5)).toEqual([
      '2027-10-31T00:30',
      '2027-10-31T01:00',
      '2027-10-31T01:30',
      '2027-10-31T02:00',
      '2027-10-31T02:30'
    ])
  })

  /** Generates a value for one cron field. */
  const field = (low: number, high: number) =>
    fc.oneof(
      fc.constant('*'),
      fc.integer({ min: 2, max: 7 }).map(step => `*/${step}`),
      fc.integer({ min: low, max: high }).map(String),
      fc
        .uniqueArray(fc.integer({ min: low, max: high }), { minLength: 2, maxLength: 4 })
        .map(list => list.join(',')),
      fc
        .tuple(fc.integer({ min: low, max: high }), fc.integer({ min: low, max: high }))
        .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`)
    )
  const fits = (expression: string, value: number, low: number) =>
    expression.split(',').some(part => {
      const [range = '', step = '1'] = part.split('/')
      const [from = low, to = range === '*' ? 1000 : from] =
        range === '*' ? [low] : range.split('-').map(Number)
      return value >= from && value <= to && (value - from) % Number(step) === 0
    })

  test('the next time matches a search minute by minute, in zones without clock changes', () => {
    const cron = fc.tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6))
    const zones = { UTC: 0, 'Asia/Kolkata': 330, 'America/Phoenix': -420, 'Asia/Kathmandu': 345 }
    fc.assert(
      fc.property(
        cron,
        fc.constantFrom(...(Object.keys(zones) as (keyof typeof zones)[])),
        fc.integer({ min: 0, max: 86_400 * 365 }),
        (fields, zone, seconds) => {
          const now = at('2027-01-01T00:00:00Z') + seconds * 1000
          const [minute, hour, day, month, weekday] = fields
          const either = day !== '*' && weekday !== '*'
          // Search minute by minute for three days, in the local time of that zone.
          let expected: number | undefined
          for (let ms = (Math.floor(now / 60_000) + 1) * 60_000; ms < now + 3 * 86_400_000; ms += 60_000) {
            const wall = new Date(ms + zones[zone] * 60_000)
            const byDay = fits(day, wall.getUTCDate(), 1)
            const byWeekday = fits(weekday, wall.getUTCDay(), 0)
            if (
              fits(minute, wall.getUTCMinutes(), 0) &&
              fits(hour, wall.getUTCHours(), 0) &&
              fits(month, wall.getUTCMonth() + 1, 1) &&
              (either ? byDay || byWeekday : byDay && byWeekday)
            ) {
              expected = ms
              break
            }
          }
          const next = timeAfter(
            {
              nextAt: new Date(now).toISOString(),
              repeatMinutes: null,
              cron: fields.join(' '),
              timeZone: zone
            },
            now
          )
          if (expected !== undefined) expect(next).toBe(new Date(expected).toISOString())
          else if (next !== undefined) expect(at(next)).toBeGreaterThanOrEqual(now + 3 * 86_400_000 - 60_000)
        }
      ),
      { numRuns: 150 }
    )
  })
})

test('001-20: a repeat interval is counted from the due time, and missed times are skipped', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.integer({ min: 0, max: 100_000_000 }),
      (repeatMinutes, lateMs) => {
        const due = at('2027-01-01T00:00:30Z')
        const schedule = { nextAt: new Date(due).toISOString(), repeatMinutes, cron: null, timeZone: null }
        const next = at(timeAfter(schedule, due + lateMs) as string)
        expect(next).toBeGreaterThan(due + lateMs)
        expect(next - due - lateMs).toBeLessThanOrEqual(repeatMinutes * 60_000)
        expect((next - due) % (repeatMinutes * 60_000)).toBe(0)
      }
    )
  )
})

describe('001-20: an invalid alarm is rejected', () => {
  const now = at('2027-03-20T00:00:00Z')
  const set = (input: object) => scheduleOf(SetAlarm.parse(input), now)

  test.each([
    {},
    { wakeAtISO: '2028-01-01T00:00:00Z', cron: '* * * * *' },
    { wakeAtISO: '2027-03-19T23:59:59Z' },
    { wakeAtISO: '2028-03-22T00:00:00Z' },
    { wakeAtISO: 'tomorrow' },
    { wakeAtISO: '2027-06-30T09:00:00' },
    { wakeAtISO: '2027-02-30T09:00:00Z' },
    { wakeAtISO: '2027-06-31T09:00:00', timeZone: 'UTC' },
    { wakeAtISO: '2027-06-30T25:00:00', timeZone: 'UTC' },
    { wakeAtISO: '2027-06-30T09:00:00', timeZone: 'Mars/Base' },
    { cron: '0 9 * * *' },
    { cron: '0 9 * * *', timeZone: '+02:00' },
    { cron: '0 9 * * *', timeZone: 'UTC', repeatIntervalMinutes: 5 },
    { cron: '0 0 30 2 *', timeZone: 'UTC' },
    { cron: '0 0 31 2,4,6 *', timeZone: 'UTC' },
    { cron: '61 * * * *', timeZone: 'UTC' },
    { cron: '*/0 * * * *', timeZone: 'UTC' },
    { cron: '* * * * * *', timeZone: 'UTC' },
    { cron: '@daily', timeZone: 'UTC' },
    { cron: '0 9 L * *', timeZone: 'UTC' },
    { cron: '0 9 MON * *', timeZone: 'UTC' }
  ])('%j', input => {
    expect(() => set(input)).toThrowError(expect.objectContaining({ code: 'INVALID_INPUT' }))
  })

  test('a local time with a time zone is equal to the time with its offset', () => {
    const timeZone = berlin
    expect(set({ wakeAtISO: '2027-07-01T09:00', timeZone })).toMatchObject({
      nextAt: '2027-07-01T07:00:00.000Z'
    })
    expect(set({ wakeAtISO: '2027-07-01T09:00:00+02:00' })).toMatchObject({
      nextAt: '2027-07-01T07:00:00.000Z'
    })
    expect(set({ wakeAtISO: '2027-03-28T02:30', timeZone })).toMatchObject({
      nextAt: '2027-03-28T01:30:00.000Z'
    })
    expect(set({ wakeAtISO: '2027-10-31T02:30', timeZone })).toMatchObject({
      nextAt: '2027-10-31T00:30:00.000Z'
    })
  })

  test('any input is either rejected or gives a time within the next 366 days, in under 500 ms of CPU time', async () => {
    const letters = fc.string({ unit: fc.constantFrom(...'0123456789*,-/ LW#?@:TZ+.abMON'), maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(
        fc.record(
          {
            wakeAtISO: fc.oneof(letters, fc.string({ maxLength: 40 })),
            cron: fc.oneof(letters, fc.string({ maxLength: 200 })),
            timeZone: fc.oneof(
              fc.constantFrom('UTC', berlin, '__proto__', 'Etc/GMT+14', '../UTC'),
              fc.string({ maxLength: 64 })
            ),
            repeatIntervalMinutes: fc.integer({ min: 1, max: 527_040 })
          },
          { requiredKeys: [] }
        ),
        async input => {
          const validate = () => {
            try {
              const next = at(scheduleOf(input, now).nextAt)
              expect(next).toBeGreaterThan(now)
              expect(next - now).toBeLessThanOrEqual(366 * 86_400_000)
            } catch (error) {
              expect(error).toMatchObject({ code: 'INVALID_INPUT' })
            }
          }
          expect(await cpuTimeOf(validate)).toBeLessThan(500)
        }
      ),
      { numRuns: 2000 }
    )
  })
})
