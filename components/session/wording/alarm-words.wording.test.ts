import type { Call } from '@waystation/protocol/call/call.ts'
import { expect, test } from 'vitest'
import { repeatWords, setWords, wakeClock, wakeWords } from './alarm-words.ts'

const now = Date.parse('2027-03-12T14:06:00Z')

test('001-20: a future time is shown in natural language', () => {
  const words = [
    '2027-03-12T18:00:00Z',
    '2027-03-13T09:00:00Z',
    '2027-03-14T09:00:00Z',
    '2027-04-12T09:00:00Z'
  ]
  expect(words.map(at => wakeClock(at, now))).toEqual([
    '18:00',
    'tomorrow 09:00',
    'Sun 09:00',
    '12 Apr 09:00'
  ])
})

test('001-20: a repetition is shown as text, and an unusual cron expression unchanged', () => {
  expect(
    [1, 5, 60, 90, 120, 1440, 2880].map(repeatIntervalMinutes => repeatWords({ repeatIntervalMinutes }))
  ).toEqual([
    'every minute',
    'every 5 min',
    'every hour',
    'every 90 min',
    'every 2 h',
    'every day',
    'every 2 d'
  ])
  const crons = [
    '0 9 * * *',
    '5 14 * * 1-5',
    '0 9 * * MON-FRI',
    '0 9 1 * *',
    '*/5 * * * *',
    '0 9 * 3 *',
    '0 9 * * 6'
  ]
  expect(crons.map(cron => repeatWords({ cron, timeZone: 'UTC' }))).toEqual([
    'daily at 09:00, UTC',
    'Mon–Fri at 14:05, UTC',
    'Mon–Fri at 09:00, UTC',
    'cron 0 9 1 * *, UTC',
    'cron */5 * * * *, UTC',
    'cron 0 9 * 3 *, UTC',
    'cron 0 9 * * 6, UTC'
  ])
  expect(repeatWords({})).toBeUndefined()
})

test('001-20: an alarm shows its time, or what it waits for', () => {
  const nextAt = '2027-03-12T14:00:00Z'
  expect(wakeWords({ nextAt: '2027-03-13T09:00:00Z' }, now)).toBe('Wakes tomorrow 09:00')
  expect(wakeWords({ nextAt }, now)).toBe('Wakes now')
  expect(wakeWords({ nextAt, held: true }, now)).toBe('Paused until someone selects “Continue”')
})

test('001-20: the row of a call shows the alarm that it set, and nothing before that or after a failure', () => {
  const set = (output: unknown, input: object) => setWords({ output, input } as Call, now)
  const done = { alarmId: 'alarm_1', nextAt: '2027-03-13T09:00:00.000Z' }
  expect(set(done, { wakeAtISO: '…', repeatIntervalMinutes: 60, reminderMessage: 'Look' })).toBe(
    'tomorrow 09:00 · every hour · Look'
  )
  expect(set(done, {})).toBe('tomorrow 09:00')
  expect(set(undefined, {})).toBeUndefined()
})
