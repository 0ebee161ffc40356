import { expect, test } from 'vitest'
import { alarmSender, alarmText, readAlarm } from './alarm-message.ts'

test('an alarm reads its own message, and only its own', () => {
  const dueAt = '2027-03-12T14:06:31.000Z'
  const text = alarmText('look at the build (twice)', dueAt)
  expect(readAlarm(alarmSender, text)).toEqual({
    reminder: 'look at the build (twice)',
    dueAt: '2027-03-12T14:06:00Z'
  })
  expect(readAlarm('Ana', text)).toBeUndefined()
  expect(readAlarm(alarmSender, 'say hello')).toBeUndefined()
})
