import type { Page } from '@playwright/test'
import { expect } from '#tests/browser/test.ts'
import {
  confirmDialog,
  connectAda,
  connectionRows,
  deleteConnections,
  enterToken,
  popupOf,
  serviceRow,
  startConnect,
  test
} from './tracker.ts'

const form = (page: Page) => page.getByTestId('service-form')
const field = (page: Page, name: string) => form(page).locator(`[name="${name}"]`)
const submit = (page: Page) => form(page).locator('[type=submit]').click()
const invalid = ['aria-invalid', 'true'] as const

test('without connections, the page explains them, and a service without a client ID cannot be connected', async ({
  page,
  api
}) => {
  await deleteConnections(api)
  await page.goto('/settings/profile')
  await page.locator('nav a[href="/connections"]').click()
  await expect(page.getByTestId('no-connections')).toBeVisible()
  await expect(serviceRow(page, 'google')).toHaveAttribute('data-state', 'needs_setup')
  await expect(serviceRow(page, 'google').getByTestId('connect-service')).toHaveCount(0)
})

test('an owner adds a service, and an error is shown at its field', async ({ page, id, trackerUrl }) => {
  const name = id('added')
  await page.goto('/connections')
  await page.getByTestId('add-service').click()
  await field(page, 'config.service').fill('GitHub')
  await field(page, 'config.apiBase').fill('http://tracker.example')
  await submit(page)
  await expect(field(page, 'config.integration')).toHaveAttribute(...invalid)
  await field(page, 'config.service').fill(name)
  await submit(page)
  await expect(field(page, 'config.apiBase')).toHaveAttribute(...invalid)
  await field(page, 'ways.oauth').check()
  await submit(page)
  await expect(field(page, 'config.oauth.issuer')).toHaveAttribute(...invalid)
  await field(page, 'ways.oauth').uncheck()
  await field(page, 'config.apiBase').fill(trackerUrl)
  await page.getByTestId('account-name').locator('summary').click()
  await field(page, 'config.account.path').fill('user')
  await field(page, 'config.account.field').fill('login')
  await submit(page)
  await expect(page.getByTestId('added-notice')).toContainText(name)
  await expect(serviceRow(page, name)).toHaveAttribute('data-state', 'needs_input')
})

test('an owner adds an MCP server by its URL alone', async ({ page, id }) => {
  const name = id('desk')
  await page.goto('/connections')
  await page.getByTestId('add-service').click()
  await field(page, 'config.service').fill(name)
  await field(page, 'ways.mcp').check()
  await expect(field(page, 'config.apiBase')).toHaveCount(0)
  await field(page, 'config.mcp.url').fill('http://desk.example/mcp')
  await submit(page)
  await expect(field(page, 'config.mcp.url')).toHaveAttribute(...invalid)
  await field(page, 'config.mcp.url').fill('https://desk.example/mcp')
  await submit(page)
  await expect(page.getByTestId('added-notice')).toContainText(name)
  await expect(serviceRow(page, name).getByTestId('connect-service')).toBeVisible()
  await serviceRow(page, name).getByTestId('set-up-service').click()
  await expect(field(page, 'config.mcp.url')).toHaveValue('https://desk.example/mcp')
})

test('closing the window ends the attempt, but if it closes at once, the page asks first', async ({
  page,
  tracker: { integration }
}) => {
  await page.clock.install()
  await page.goto('/connections')
  const progress = serviceRow(page, integration).getByTestId('connect-progress')
  const popup = await startConnect(page, integration)
  await expect(progress).toHaveAttribute('data-phase', 'open')
  await enterToken(popup, 'a-wrong-token')
  await expect(popup.getByRole('alert')).toBeVisible()
  await page.clock.fastForward('00:05')
  await popup.close()
  await expect(progress).toHaveAttribute('data-phase', 'ended')
  // The browser itself can close a window in its first moments.
  const another = await startConnect(page, integration)
  await expect(another.locator('input[type=password]')).toBeVisible()
  await another.close()
  await expect(progress).toHaveAttribute('data-phase', 'unseen')
  await serviceRow(page, integration).getByTestId('cancel-connect').click()
  await expect(progress).toHaveAttribute('data-phase', 'ended')
  await page.reload()
  await expect(serviceRow(page, integration)).toHaveAttribute('data-state', 'needs_input')
  await expect(connectionRows(page, integration)).toHaveCount(0)
})

test('two accounts can be connected at the same time, one of the user and one of the workspace under another name', async ({
  page,
  tracker: { integration }
}) => {
  const slug = `${integration}-office`
  const row = serviceRow(page, integration)
  await page.goto('/connections')
  const ownPopup = await startConnect(page, integration)
  await row.getByTestId('connect-service').click()
  const panel = row.getByTestId('connect-panel')
  await panel.locator('[value=workspace]').check()
  await panel.locator('summary').click()
  await panel.locator('[name=slug]').fill('The Office')
  await panel.locator('[type=submit]').click()
  await expect(panel.locator('[name=slug]')).toHaveAttribute(...invalid)
  await panel.locator('[name=slug]').fill(slug)
  const officePopup = await popupOf(page, () => panel.locator('[type=submit]').click())
  const progress = row.getByTestId('connect-progress').filter({ hasText: slug })
  await expect(progress).toHaveAttribute('data-phase', 'open')
  await enterToken(officePopup, 'token-of-the-office')
  await expect(progress).toHaveAttribute('data-phase', 'connected')
  await enterToken(ownPopup, 'token-of-ada')
  await expect(row.locator('[data-phase=connected]')).toHaveCount(2)
  const rows = connectionRows(page, integration)
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: 'ada' })).toHaveAttribute('data-sharing', 'user')
  await expect(rows.filter({ hasText: 'office' })).toHaveAttribute('data-sharing', 'workspace')
  await expect(row).toHaveAttribute('data-state', 'ready')
})

test('Cancel closes the window, and an account can be connected again under the same name', async ({
  page,
  tracker: { integration }
}) => {
  await connectAda(page, integration)
  const row = connectionRows(page, integration)
  const reconnect = () => row.getByTestId('reconnect-account').click()
  const popup = await popupOf(page, reconnect)
  const closed = popup.waitForEvent('close')
  await row.getByTestId('cancel-connect').click()
  await closed
  await enterToken(await popupOf(page, reconnect), 'token-of-ada')
  await expect(row.getByTestId('connect-progress')).toHaveAttribute('data-phase', 'connected')
  await expect(row).toHaveCount(1)
})

test('if no window opens, the page shows a link and notices when the account is connected', async ({
  page,
  tracker: { integration }
}) => {
  await page.addInitScript(() => {
    window.open = () => null
  })
  await page.goto('/connections')
  const row = serviceRow(page, integration)
  await row.getByTestId('connect-service').click()
  await row.getByTestId('connect-panel').locator('[type=submit]').click()
  await enterToken(await popupOf(page, () => row.getByTestId('open-service').click()), 'token-of-ada')
  await expect(row.getByTestId('connect-progress')).toHaveAttribute('data-phase', 'connected')
  await expect(connectionRows(page, integration)).toContainText('ada')
})

test('an owner registers this server at a provider, and the secret is stored and never shown again', async ({
  page,
  server,
  api
}) => {
  const row = serviceRow(page, 'github')
  const setUp = row.getByTestId('set-up-service')
  await page.goto('/connections')
  await setUp.click()
  await expect(form(page).getByTestId('redirect-uri')).toHaveText(`${server.url}/api/connections/callback`)
  await field(page, 'config.oauth.clientId').fill('client-of-ours')
  await field(page, 'clientSecret').fill('a-secret-of-ours')
  await submit(page)
  await expect(row.getByTestId('service-notice')).not.toBeEmpty()
  await setUp.click()
  await expect(field(page, 'config.oauth.clientId')).toHaveValue('client-of-ours')
  await expect(field(page, 'clientSecret')).toHaveValue('')
  expect(await api('GET', '/api/integrations/github')).toMatchObject({ hasClientSecret: true })
  await row.getByTestId('connect-service').click()
  await expect(row.getByTestId('connect-by-api_key')).toBeVisible()
  await setUp.click()
  await form(page).getByTestId('remove-set-up').click()
  await confirmDialog(page)
  await expect(form(page)).toBeHidden()
  await expect(row.getByTestId('service-notice')).not.toBeEmpty()
  expect(await api('GET', '/api/integrations/github')).toMatchObject({ own: false })
})

test('a service without a client ID can be saved and still needs setup', async ({ page, api }) => {
  const row = serviceRow(page, 'google')
  await page.goto('/connections')
  await row.getByTestId('set-up-service').click()
  await submit(page)
  await expect(row.getByTestId('service-notice')).not.toBeEmpty()
  await expect(row).toHaveAttribute('data-state', 'needs_setup')
  await row.getByTestId('set-up-service').click()
  // The hosts that receive requests with an account.
  await expect(field(page, 'config.apiBase')).toHaveAccessibleDescription(
    /gmail\.googleapis\.com, .*sheets\.googleapis\.com/
  )
  await form(page).getByTestId('remove-set-up').click()
  await confirmDialog(page)
  await expect(form(page)).toBeHidden()
  expect(await api('GET', '/api/integrations/google')).toMatchObject({ own: false })
})

test('a revoked connection shows who revoked it, and a deleted one is removed from the list', async ({
  page,
  tracker: { integration }
}) => {
  await connectAda(page, integration)
  const row = connectionRows(page, integration)
  await row.getByTestId('revoke-connection').press('Enter')
  await page.getByRole('dialog').getByRole('button').first().press('Enter')
  await expect(page.getByTestId('ending-notice')).toContainText(integration)
  await expect(row).toHaveAttribute('data-state', 'revoked')
  await expect(row).toContainText('Local owner')
  await row.getByTestId('delete-connection').click()
  await confirmDialog(page)
  await expect(row).toHaveCount(0)
  await expect(page.getByTestId('ending-notice')).toContainText(integration)
})

test('an error from the server is shown unchanged', async ({ page, tracker: { integration } }) => {
  await connectAda(page, integration)
  await page.route('**/api/connections/*', route =>
    route.fulfill({ status: 403, json: { error: 'Only an editor may end it.', code: 'FORBIDDEN' } })
  )
  await connectionRows(page, integration).getByTestId('delete-connection').click()
  await confirmDialog(page)
  await expect(page.getByTestId('ending-error')).toHaveText('Only an editor may end it.')
})
