import { expect, type Page } from '#tests/browser/test.ts'
import { expectAccessible, expectAccessibleNow } from '#tests/support/browser/expect-accessible.ts'
import type { ServerProcess } from '#tests/support/servers/start-server.ts'
import { connectionRequest, createOrderSession, openConnectWindow, openParkedSession } from './acme.ts'
import { orderForEve } from './call-accounts.ts'
import { connectAda, serviceRow, startConnect, test } from './tracker.ts'

type Context = { page: Page; server: ServerProcess; integration: string; slug: string }

/** Functions that open a page in a state and return it. */
const states: Record<string, (context: Context) => Promise<Page>> = {
  'a connected account': async ({ page, integration }) => {
    await connectAda(page, integration)
    return page
  },
  'whose account is connected, and its window': async ({ page, integration }) => {
    await page.goto('/connections')
    const popup = await startConnect(page, integration)
    await popup.locator('input[type=password]').waitFor()
    await serviceRow(page, integration).getByTestId('connect-service').click()
    await expectAccessible(popup)
    return page
  },
  'the set-up of a service': async ({ page, integration }) => {
    await page.goto('/connections')
    await serviceRow(page, integration).getByTestId('set-up-service').click()
    await page.getByTestId('service-form').locator('[name="ways.oauth"]').check()
    return page
  },
  'an MCP server that is refused': async ({ page }) => {
    await page.goto('/connections')
    await page.getByTestId('add-service').click()
    const form = page.getByTestId('service-form')
    await form.locator('[name="config.service"]').fill('Desk')
    await form.locator('[name="ways.mcp"]').check()
    await form.locator('[name="config.mcp.url"]').fill('http://desk.example/mcp')
    await form.locator('[type=submit]').click()
    await form.locator('[name="config.mcp.url"][aria-invalid=true]').waitFor()
    return page
  },
  'a session that asks for an account': async ({ page, server, slug }) => {
    await openParkedSession(page, await createOrderSession({ page, server }, connectionRequest(slug)))
    return page
  },
  'the window with a code': async ({ page, server, slug }) => {
    await openParkedSession(page, await createOrderSession({ page, server }, connectionRequest(slug)))
    const popup = await openConnectWindow(page, 'connect-by-device')
    await popup.locator('.code').waitFor()
    return popup
  }
}

test('accessible, and no sideways scroll: the card of a call for the account of an end user', async ({
  page,
  api,
  id
}) => {
  await orderForEve(page, api, id('order'))
  await expectAccessible(page)
})

for (const [state, open] of Object.entries(states))
  test(`accessible, and no sideways scroll: ${state}`, async ({ page, server, tracker, id }) => {
    await expectAccessible(await open({ page, server, integration: tracker.integration, slug: id('looks') }))
  })

test('accessible, and no sideways scroll: the sheet on a phone for an account request', async ({
  page,
  server,
  id
}) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 390, height: 844 })
  await openParkedSession(page, await createOrderSession({ page, server }, connectionRequest(id('phone'))))
  await page.locator('#waits').click()
  await expect(page.getByTestId('connect-account')).toBeVisible()
  await expectAccessibleNow(page)
})
