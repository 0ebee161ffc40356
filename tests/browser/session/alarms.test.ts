import { alarmSender } from '@waystation/protocol/session/alarm-message.ts'
import { repeatWords } from '#components/session/wording/alarm-words.ts'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { openAlarms, threeAlarms } from './open.ts'

const rows = (page: Page) => page.getByTestId('alarms').locator('[data-alarm]')
const cancel = (page: Page, reminder: string) =>
  rows(page).filter({ hasText: reminder }).getByTestId('cancel-alarm').press('Enter')
const hourly = repeatWords({ repeatIntervalMinutes: 60 }) ?? ''
const yearly = repeatWords({ cron: '0 9 1 1 *', timeZone: 'UTC' }) ?? ''

test('001-20: the alarms of a session are listed above the composer, the next one first, and are canceled by keyboard', async ({
  page,
  api,
  id
}) => {
  const setAlarms = await openAlarms(page, api, id('warden'))
  await setAlarms(...threeAlarms())
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText(hourly)
  await expect(rows(page)).toContainText('Look at the build')
  await page.getByTestId('more-alarms').press('Enter')
  await expect(rows(page)).toHaveCount(3)
  const calls = page.locator('[data-row] [data-toggle]').filter({ hasText: 'alarm-clock' })
  await expect(calls.filter({ hasText: hourly }).filter({ hasText: 'Look at the build' })).toBeVisible()
  await cancel(page, 'Look at the build')
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).first()).toContainText('Ask how it went')
  await page.reload()
  await expect(rows(page)).toContainText('Ask how it went')
  await cancel(page, 'Ask how it went')
  await expect(rows(page)).toContainText(yearly)
  await cancel(page, yearly)
  await expect(page.getByTestId('alarms')).toBeHidden()
  await expect(page.locator('[data-composer]')).toBeFocused()
})

test('001-20: an alarm that goes off while its page is open appears as a reminder, and its row disappears', async ({
  page,
  api,
  id
}) => {
  const setAlarms = await openAlarms(page, api, id('warden'))
  await setAlarms({
    wakeAtISO: new Date(Date.now() + 6000).toISOString(),
    reminderMessage: 'say The kettle boils.'
  })
  await expect(rows(page)).toContainText('The kettle boils.')
  const reminder = page.getByTestId('reminder')
  await expect(reminder.getByRole('paragraph')).toContainText('say The kettle boils.')
  // The text for the model has a prefix and the time in UTC.
  await expect(reminder).not.toContainText('[')
  await expect(reminder).not.toContainText('Z)')
  await expect(reminder).toContainText(alarmSender)
  await expect(rows(page)).toHaveCount(0)
})
