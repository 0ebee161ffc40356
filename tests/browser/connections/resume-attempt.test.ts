import { expect, type Page, test } from '#tests/browser/test.ts'
import {
  allow,
  callOf,
  connectionRequest,
  createOrderSession,
  openConnectWindow,
  openParkedSession,
  signInAtAcme
} from './acme.ts'

const dock = (page: Page) => page.locator('#waits')
const progress = (page: Page) => dock(page).getByTestId('connect-progress')
const resultOf = async (page: Page, sessionId: string) => (await callOf(page, sessionId))?.output

test('an attempt is shown after a reload and in a second tab, and an answer there ends it everywhere', async ({
  page,
  context,
  server,
  id
}) => {
  const sessionId = await createOrderSession({ page, server }, connectionRequest(id('resumed')))
  await openParkedSession(page, sessionId)
  const popup = await openConnectWindow(page)
  await signInAtAcme(popup)
  await page.reload()
  await expect(progress(page)).toHaveAttribute('data-phase', 'unseen')
  const other = await context.newPage()
  await openParkedSession(other, sessionId)
  await expect(progress(other)).toHaveAttribute('data-phase', 'unseen')
  await dock(other).getByTestId('cancel-connect').click()
  await expect(dock(page)).toBeHidden()
  expect(await resultOf(page, sessionId)).toMatchObject({ connected: false, reason: 'cancelled' })
  await allow(popup)
  await expect(popup.locator('main.fail')).toBeVisible()
})

test('a window that was opened before a reload connects the account and continues the agent', async ({
  page,
  server,
  id
}) => {
  const slug = id('reloaded')
  const sessionId = await createOrderSession({ page, server }, connectionRequest(slug))
  await openParkedSession(page, sessionId)
  const popup = await openConnectWindow(page)
  await signInAtAcme(popup)
  await page.reload()
  await expect(progress(page)).toHaveAttribute('data-phase', 'unseen')
  await allow(popup)
  await expect(dock(page)).toBeHidden()
  expect(await resultOf(page, sessionId)).toEqual({ connected: true, integration: 'acme', slug })
})
