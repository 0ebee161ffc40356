import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Api, test as base, expect, type Page } from '#tests/browser/test.ts'

/** A service that requires a bearer token. Each test has its own integration of it. */
type Tracker = { integration: string; apiBase: string }

const accounts: Record<string, string> = { 'token-of-ada': 'ada', 'token-of-the-office': 'office' }

/** Test for the Connections page with a local service whose accounts can be connected. */
export const test = base.extend<{ tracker: Tracker }, { trackerUrl: string }>({
  trackerUrl: [
    // Playwright reads the fixtures that are needed from this pattern. This one needs none.
    // biome-ignore lint/correctness/noEmptyPattern: see above
    async ({}, use) => {
      const tracker = createServer(({ headers: { authorization = '' } }, response) => {
        const login = accounts[authorization.replace(/^Bearer /, '')]
        response.writeHead(login === undefined ? 401 : 200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(login === undefined ? { message: 'Bad credentials' } : { login }))
      }).listen(0, '127.0.0.1')
      await once(tracker, 'listening')
      await use(`http://127.0.0.1:${(tracker.address() as AddressInfo).port}`)
      tracker.closeAllConnections()
      tracker.close()
    },
    { scope: 'worker' }
  ],

  tracker: async ({ api, id, trackerUrl }, use) => {
    const integration = id('tracker')
    const config = {
      service: integration,
      apiBase: trackerUrl,
      apiKey: {
        fields: [{ name: 'token', label: 'Token' }],
        header: { name: 'authorization', value: 'Bearer {token}' }
      },
      account: { path: 'user', field: 'login' }
    }
    await api('PUT', `/api/integrations/${integration}`, { config })
    await use({ integration, apiBase: trackerUrl })
  }
})

/** Returns the row of a service by its short name. */
export const serviceRow = (page: Page, integration: string) =>
  page.locator(`[data-hook=service][data-service="${integration}"]`)

/** Returns the rows of the connections of a service. */
export const connectionRows = (page: Page, service: string) =>
  page.locator(`[data-hook=connection][data-service="${service}"]`)

/** Clicks a button that opens a window, and returns that window. */
export async function popupOf(page: Page, click: () => Promise<void>): Promise<Page> {
  const popup = page.waitForEvent('popup')
  await click()
  return popup
}

/** Opens the panel of a service and clicks its first button. Returns the window. */
export async function startConnect(page: Page, integration: string): Promise<Page> {
  const row = serviceRow(page, integration)
  await row.getByTestId('connect-service').click()
  return popupOf(page, () => row.getByTestId('connect-panel').locator('[type=submit]').click())
}

export async function enterToken(popup: Page, token: string): Promise<void> {
  await popup.locator('input[type=password]').fill(token)
  await popup.getByRole('button').click()
}

/** Connects the account of ada on the Connections page and waits until the window has closed itself. */
export async function connectAda(page: Page, integration: string): Promise<void> {
  await page.goto('/connections')
  const popup = await startConnect(page, integration)
  const closed = popup.waitForEvent('close')
  await enterToken(popup, 'token-of-ada')
  await closed
  await expect(connectionRows(page, integration)).toHaveCount(1)
}

/** Deletes all connections of the server, so that its list is empty. */
export async function deleteConnections(api: Api): Promise<void> {
  const { connections } = await api<{ connections: { connectionId: string }[] }>('GET', '/api/connections')
  for (const { connectionId } of connections) await api('DELETE', `/api/connections/${connectionId}`)
}

/** Confirms the open dialog with its first button. The other button cancels. */
export const confirmDialog = (page: Page) => page.getByRole('dialog').getByRole('button').first().click()
