import { expect, type Locator, type Page } from '#tests/browser/test.ts'
import {
  allow,
  connectionRequest,
  createOrderSession,
  deny,
  openConnectWindow,
  openParkedSession,
  signInAtAcme
} from './acme.ts'
import { orderForEve } from './call-accounts.ts'
import {
  connectAda,
  connectionRows,
  deleteConnections,
  enterToken,
  popupOf,
  serviceRow,
  startConnect,
  test
} from './tracker.ts'

type Texts = Record<string, string | RegExp>

/** Expects the first element of each hook to have this text. */
async function texts(within: Page | Locator, rows: Texts): Promise<void> {
  for (const [hook, text] of Object.entries(rows))
    await expect(within.getByTestId(hook).first(), hook).toHaveText(text)
}

/** Expects the first element of each hook to have this accessible name. */
async function names(within: Page | Locator, rows: Texts): Promise<void> {
  for (const [hook, name] of Object.entries(rows))
    await expect(within.getByTestId(hook).first(), hook).toHaveAccessibleName(name)
}

const choices = (page: Page) => page.getByRole('dialog').getByRole('button')

test('the Connections page is found by its name and explains connections', async ({ page, api }) => {
  await deleteConnections(api)
  await page.goto('/sessions')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('connec')
  await page.getByRole('option', { name: 'Connections' }).click()
  await page.waitForURL(/\/connections$/)
  await expect(page).toHaveTitle(/Connections/)
  await expect(page.getByTestId('sidebar').getByRole('link', { name: 'Connections' })).toBeVisible()
  await texts(page, {
    'no-connections': /^No accounts are connected yet\..*never shown to an agent or a model\.$/
  })
  await texts(serviceRow(page, 'google'), {
    'service-state': 'Not set up.'
  })
})

test('labels of a service, and the text about its missing setup', async ({
  page,
  tracker: { integration }
}) => {
  await page.goto('/connections')
  await expect(page.getByTestId('services')).toHaveAccessibleName('Services')
  const row = serviceRow(page, integration)
  await names(row, {
    'connect-service': `Connect ${integration}…`,
    'set-up-service': `Set up ${integration}…`
  })
  await expect(row.getByTestId('service-state')).toBeEmpty()
  await row.getByTestId('connect-service').click()
  const panel = page.getByRole('form', { name: `Connect ${integration}` })
  await expect(panel.getByTestId('connect-way')).toHaveText(
    `You enter an API token from ${integration} in a new window.`
  )
  await expect(panel.getByRole('radio', { name: /^For me:/ })).toBeVisible()
  await expect(panel.getByRole('radio', { name: /^For the workspace:/ })).toBeVisible()
  await panel.getByText('Another account').click()
  await panel.getByLabel('Connection name').fill('The Office')
  await panel.getByRole('button', { name: `Connect ${integration}` }).click()
  await expect(panel.getByLabel('Connection name')).toHaveAccessibleDescription(
    /Use only lowercase letters, digits, - and _\.$/
  )
  await expect(panel.getByTestId('cancel-connect')).toHaveText('Cancel')
  await panel.getByTestId('cancel-connect').click()
  await expect(panel).toHaveCount(0)
  await expect(row.getByTestId('connect-service')).toBeFocused()
})

test('labels and errors of the service form', async ({ page, id }) => {
  await page.goto('/connections')
  await expect(page.getByTestId('add-service')).toHaveText('Add service')
  await page.getByTestId('add-service').click()
  const form = page.getByRole('form', { name: 'Add service' })
  const submit = form.getByRole('button', { name: 'Add service' })
  const name = form.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('GitHub')
  await form.getByLabel('API base').fill('http://tracker.example')
  await submit.click()
  await expect(form.getByLabel('Short name')).toHaveAccessibleDescription(
    /A service with this short name already exists\. Choose another name\./
  )
  await name.fill(id('service'))
  await submit.click()
  await expect(form.getByLabel('API base')).toHaveAccessibleDescription(/Must use https/)
  await form.getByRole('checkbox', { name: /OAuth/ }).check()
  await submit.click()
  await expect(form.getByLabel('Issuer')).toHaveAccessibleDescription(/Set issuer/)
  await form.getByText('Account name').click()
  await expect(form.getByLabel('Account path')).toBeVisible()
  await expect(form.getByLabel('Name field')).toBeVisible()
  await form.getByRole('checkbox', { name: /MCP server/ }).check()
  await form.getByLabel('MCP server URL').fill('https://desk.example/mcp')
  await submit.click()
  await texts(page, { 'added-notice': /^\S+ was added\. You can now connect an account\.$/ })
})

test('texts for the registration of this server at a provider', async ({ page }) => {
  await page.goto('/connections')
  const row = serviceRow(page, 'google')
  const setUp = row.getByTestId('set-up-service')
  const form = page.getByRole('form', { name: 'Set up Google' })
  const save = form.getByRole('button', { name: 'Save setup' })
  await setUp.click()
  await save.click()
  await texts(row, { 'service-notice': 'Saved. To connect accounts, set a client ID first.' })
  await setUp.click()
  await form.getByLabel('Client ID').fill('client-of-ours')
  await form.getByLabel('Client secret').fill('a-secret-of-ours')
  await save.click()
  await texts(row, { 'service-notice': 'Saved.' })
  await setUp.click()
  await expect(form.getByLabel('Client secret')).toHaveAccessibleDescription(
    /^A secret is stored, encrypted\./
  )
  await texts(form, { 'remove-set-up': 'Remove setup…' })
  await form.getByTestId('remove-set-up').click()
  await expect(choices(page)).toHaveText(['Remove setup', 'Cancel'])
  await choices(page).first().click()
  await texts(row, { 'service-notice': 'The setup was removed.' })
})

test('texts for the progress and result of an attempt', async ({ page, tracker: { integration } }) => {
  await page.clock.install()
  await page.goto('/connections')
  const row = serviceRow(page, integration)
  const popup = await startConnect(page, integration)
  await texts(row, {
    'connect-progress': `Finish in the ${integration} window.`,
    'cancel-connect': 'Cancel'
  })
  await enterToken(popup, 'a-wrong-token')
  await expect(popup.getByRole('alert')).toHaveText(
    `${integration} rejected these credentials (401). Check them and enter them again.`
  )
  await page.clock.fastForward('00:05')
  await popup.close()
  await texts(row, { 'connect-progress': `${integration} wasn't connected because its window was closed.` })
  const another = await startConnect(page, integration)
  await another.locator('input[type=password]').waitFor()
  await another.close()
  await texts(row, {
    'connect-progress': `Finish in the ${integration} window. If you closed the window, select Cancel.`
  })
  await row.getByTestId('cancel-connect').click()
  await page.evaluate(() => {
    window.open = () => null
  })
  await row.getByTestId('connect-service').click()
  await row.getByTestId('connect-panel').locator('[type=submit]').click()
  await texts(row, {
    'connect-progress': /^Your browser blocked the window\. Use the link to open it\./,
    'open-service': `Open ${integration}`
  })
})

test('text for an unreachable service', async ({ page, api, id }) => {
  const integration = id('far')
  const config = {
    service: integration,
    apiBase: 'https://10.0.0.1/',
    apiKey: {
      fields: [{ name: 'token', label: 'Token' }],
      header: { name: 'authorization', value: 'Bearer {token}' }
    },
    account: { path: 'user', field: 'login' }
  }
  await api('PUT', `/api/integrations/${integration}`, { config })
  await page.goto('/connections')
  const popup = await startConnect(page, integration)
  await enterToken(popup, 'any-token')
  await expect(popup.getByRole('alert')).toContainText(`${integration} could not be reached: `)
})

test('text on the card of a call about the account that it would use', async ({ page, api, id }) => {
  await expect(await orderForEve(page, api, id('order'))).toHaveText(
    "If this call needs eve's account, only eve can approve that. The agent also has messages from Local owner."
  )
})

test('texts for the owner and end of a connection', async ({ page, tracker: { integration } }) => {
  await connectAda(page, integration)
  await expect(serviceRow(page, integration).getByTestId('connections')).toHaveAccessibleName(
    `Accounts at ${integration}`
  )
  await texts(serviceRow(page, integration), {
    'connect-progress': `${integration} is connected.`,
    'service-state': ''
  })
  const row = connectionRows(page, integration)
  await expect(row).toContainText(/ada.*Your account.*Never used/)
  await names(row, {
    'reconnect-account': `Reconnect ${integration} (ada)`,
    'revoke-connection': `Revoke ${integration} (ada)…`,
    'delete-connection': `Delete ${integration} (ada)…`
  })
  await row.getByTestId('revoke-connection').click()
  await expect(page.getByRole('dialog')).toContainText(`The token or key stays valid at ${integration}`)
  await expect(choices(page)).toHaveText(['Revoke connection', 'Cancel'])
  await choices(page).first().click()
  await texts(page, { 'ending-notice': /^\S+ \(ada\) was revoked\. .* revoke it there too\.$/ })
  await expect(row).toContainText('Ended by Local owner.')
  await row.getByTestId('delete-connection').click()
  await expect(choices(page)).toHaveText(['Delete connection', 'Cancel'])
  await choices(page).first().click()
  await texts(page, { 'ending-notice': `${integration} (ada) was deleted.` })
})

test('texts for a connection of the workspace', async ({ page, tracker: { integration } }) => {
  await page.goto('/connections')
  const row = serviceRow(page, integration)
  await row.getByTestId('connect-service').click()
  const panel = row.getByTestId('connect-panel')
  await panel.locator('[value=workspace]').check()
  await panel.locator('summary').click()
  await panel.locator('[name=slug]').fill(`${integration}-office`)
  const popup = await popupOf(page, () => panel.locator('[type=submit]').click())
  await expect(popup.getByText('the workspace')).toBeVisible()
  await enterToken(popup, 'token-of-the-office')
  await texts(row, {
    'connect-progress': `${integration} (${integration}-office) is connected.`,
    'service-state': `Connected as ${integration}-office.`
  })
  await expect(connectionRows(page, integration)).toContainText(/office.*Workspace account/)
})

test('labels and texts of a session that asks for an account', async ({ page, server, id }) => {
  const slug = id('wording')
  await openParkedSession(page, await createOrderSession({ page, server }, connectionRequest(slug)))
  const dock = page.getByRole('region', { name: /pending request/ })
  await expect(dock.getByRole('heading')).toHaveText(`Connect Acme (${slug})?`)
  await texts(dock, {
    'connect-account': 'Connect Acme',
    'connect-by-device': 'Use a code instead',
    'decline-connect': 'Not now'
  })
  const popup = await openConnectWindow(page)
  await texts(dock, {
    'connect-progress': 'Connecting… Finish in the Acme window within 3 minutes.',
    'cancel-connect': 'Cancel'
  })
  await signInAtAcme(popup)
  await deny(popup)
  await expect(popup.getByRole('heading')).toHaveText('Not connected')
  // A window that is still open would be reused.
  await popup.close()
  const row = page.locator('[data-row] [data-toggle]')
  await expect(row).toContainText('Connection not completed')
  await texts(page, {
    'account-not-connected': /Acme returned the error access_denied: the user declined/,
    'retry-connect': 'Retry'
  })
  const popupEvent = page.waitForEvent('popup')
  await page.getByTestId('retry-connect').click()
  const secondPopup = await popupEvent
  await secondPopup.locator('button[value=allow]').waitFor()
  await allow(secondPopup)
  await expect(row.first()).toContainText(/Acme \(.+\) connected later/)
  await row.first().click()
  await texts(page, { 'account-connected-later': /^Acme was connected later at / })
})

test('text for a tool without an account', async ({ page, server, api }) => {
  await deleteConnections(api)
  await openParkedSession(page, await createOrderSession({ page, server }, 'use acme-list-orders {}'))
  await expect(page.locator('#waits')).toContainText(
    /acme-list-orders needs this connection to continue\. No account is connected\./
  )
})

test('texts of the windows for an account', async ({ page, server, id }) => {
  await openParkedSession(page, await createOrderSession({ page, server }, connectionRequest(id('windows'))))
  const popup = await openConnectWindow(page, 'connect-by-device')
  await expect(popup.getByRole('heading')).toHaveText('Connect Acme with a code')
  await expect(popup.getByRole('link')).toHaveText('Open Acme')
  await page.locator('#waits').getByTestId('cancel-connect').click()
  await openParkedSession(page, await createOrderSession({ page, server }, connectionRequest(id('blocked'))))
  await page.evaluate(() => {
    window.open = () => null
  })
  await page.locator('#waits').getByTestId('connect-account').click()
  await texts(page.locator('#waits'), {
    'connect-progress': /^Your browser blocked the window\./,
    'open-service': 'Open Acme'
  })
  const tab = await popupOf(page, () => page.locator('#waits').getByTestId('open-service').click())
  await signInAtAcme(tab)
  await allow(tab)
  await expect(tab.getByRole('heading')).toHaveText('Connected')
  await expect(page.locator('[data-row] [data-toggle]')).toContainText(/Acme \(.+\) connected/)
})
