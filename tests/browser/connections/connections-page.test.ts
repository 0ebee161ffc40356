import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

/** A service behind a bearer token, and a server of its own, since it looks at everything that is connected there. */
let server: TestServer
let tracker: Server
let base: string
const accounts: Record<string, string> = { 'token-of-ada': 'ada', 'token-of-the-office': 'office' }
test.beforeAll(async () => {
  tracker = createServer(({ headers: { authorization = '' } }, response) => {
    const login = accounts[authorization.replace(/^Bearer /, '')]
    response.writeHead(login === undefined ? 401 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(login === undefined ? { message: 'Bad credentials' } : { login }))
  }).listen(0, '127.0.0.1')
  await once(tracker, 'listening')
  base = `http://127.0.0.1:${(tracker.address() as AddressInfo).port}`
  server = await startServer({ WAYSTATION_EGRESS_ALLOW: '127.0.0.1' })
})
test.afterAll(async () => {
  await server.stop()
  tracker.closeAllConnections()
  tracker.close()
})
test.beforeEach(async ({ page }) => {
  await page.goto(`${server.url}/sign-in`)
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
})

const open = (page: Page) => page.goto(`${server.url}/connections`)
const connections = (page: Page) => page.getByRole('list', { name: 'Connections' }).getByRole('listitem')
const services = (page: Page) => page.getByRole('list', { name: 'Services' })
const service = (page: Page, name: string) => services(page).locator('> li').filter({ hasText: name })

/** Presses a button that opens a window; that window. */
async function popupOf(page: Page, button: string) {
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: button, exact: true }).click()
  return opened
}

async function enter(popup: Page, token: string) {
  await popup.locator('input[type="password"]').fill(token)
  await popup.getByRole('button', { name: 'Connect' }).click()
}

test.describe.configure({ mode: 'serial' })

test('nothing is connected: the page says what a connection is, and is found by the palette and from the list', async ({
  page
}) => {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('connec')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/connections$/)
  await expect(page).toHaveTitle(/Connections/)
  await expect(page.getByText(/^No account is connected yet\./)).toBeVisible()
  await expect(page.getByText(/never in a conversation/)).toBeVisible()
  await page.getByRole('link', { name: 'Connections', exact: true }).click()
  await expect(service(page, 'Google')).toContainText('Not set up')
  await expect(service(page, 'Google').getByRole('button', { name: 'Connect Google…' })).toHaveCount(0)
})

test('an owner adds a service; what the server finds wrong stands at its field', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: 'Add a service' }).click()
  const form = page.getByRole('form', { name: 'Add a service' })
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('GitHub')
  await form.getByRole('textbox', { name: 'API base' }).fill('http://tracker.example')
  await form.getByRole('button', { name: 'Add service' }).click()
  await expect(form.getByText('There is a service of this name. Choose another.')).toBeVisible()
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme Tracker')
  await form.getByRole('button', { name: 'Add service' }).click()
  await expect(form.getByRole('textbox', { name: 'API base' })).toHaveAccessibleDescription(/must be https/)
  await form.getByRole('checkbox', { name: /OAuth/ }).check()
  await form.getByRole('button', { name: 'Add service' }).click()
  await expect(form.getByRole('textbox', { name: 'Issuer' })).toHaveAccessibleDescription(/needs an issuer/)
  await form.getByRole('checkbox', { name: /OAuth/ }).uncheck()
  await form.getByRole('textbox', { name: 'API base' }).fill(base)
  await form.getByRole('textbox', { name: 'Address to ask' }).fill('user')
  await form.getByRole('textbox', { name: 'Field with the name' }).fill('login')
  await form.getByRole('button', { name: 'Add service' }).click()
  await expect(page.getByText('Acme Tracker is added.')).toBeVisible()
  await expect(service(page, 'Acme Tracker')).toContainText('acme-tracker')
  await expect(service(page, 'Acme Tracker')).toContainText('No account yet')
})

test('an owner adds an MCP server by its address alone', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: 'Add a service' }).click()
  const form = page.getByRole('form', { name: 'Add a service' })
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Desk')
  await form.getByRole('checkbox', { name: /MCP server/ }).check()
  await expect(form.getByRole('textbox', { name: 'API base' })).toHaveCount(0)
  await form.getByRole('textbox', { name: 'Address of the MCP server' }).fill('http://desk.example/mcp')
  await form.getByRole('button', { name: 'Add service' }).click()
  await expect(form.getByRole('textbox', { name: 'Address of the MCP server' })).toHaveAccessibleDescription(
    /must be https/
  )
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])
  await form.getByRole('textbox', { name: 'Address of the MCP server' }).fill('https://desk.example/mcp')
  await form.getByRole('button', { name: 'Add service' }).click()
  await expect(page.getByText('Desk is added.')).toBeVisible()
  await expect(service(page, 'Desk').getByRole('button', { name: 'Connect Desk…' })).toBeVisible()
  await service(page, 'Desk').getByRole('button', { name: 'Set up Desk…' }).click()
  await expect(page.getByRole('textbox', { name: 'Address of the MCP server' })).toHaveValue(
    'https://desk.example/mcp'
  )
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/mcp-form.png`, fullPage: true })
})

test('a service that cannot be reached is said to be that, in the window as well', async ({ page }) => {
  await open(page)
  const config = {
    service: 'Far',
    apiBase: 'https://10.0.0.1/',
    apiKey: {
      fields: [{ name: 'token', label: 'Token' }],
      header: { name: 'authorization', value: 'Bearer {token}' }
    },
    account: { path: 'user', field: 'login' }
  }
  const headers = { authorization: `Bearer ${server.apiKey}` }
  const saved = await page.request.put(`${server.url}/api/integrations/far`, { headers, data: { config } })
  expect(saved.status()).toBe(200)
  await page.reload()
  await page.getByRole('button', { name: 'Connect Far…' }).click()
  const popup = await popupOf(page, 'Connect Far')
  await enter(popup, 'any-token')
  await expect(popup.getByRole('alert')).toContainText('Far could not be reached: ')
})

test('wrong credentials are refused in the window, nothing is listed, and closing the window ends in a sentence', async ({
  page
}) => {
  await page.clock.install()
  await open(page)
  await page.getByRole('button', { name: 'Connect Acme Tracker…' }).click()
  const popup = await popupOf(page, 'Connect Acme Tracker')
  await expect(page.getByText('Finish in the window of Acme Tracker.')).toBeVisible()
  await enter(popup, 'a-wrong-token')
  await expect(popup.getByRole('alert')).toHaveText('Acme Tracker does not accept these credentials (401).')
  await expect(connections(page)).toHaveCount(0)
  await page.clock.fastForward('00:05')
  await popup.close()
  await expect(page.getByText('Acme Tracker was not connected: its window was closed.')).toBeVisible()
  // Closed in its first moments it may have been the browser’s doing: the person is asked.
  await page.getByRole('button', { name: 'Connect Acme Tracker…' }).click()
  const another = await popupOf(page, 'Connect Acme Tracker')
  await expect(another.locator('input[type="password"]')).toBeVisible()
  await another.close()
  await expect(page.getByText(/If you closed it, cancel here\.$/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Acme Tracker was not connected: its window was closed.')).toBeVisible()
  await page.reload()
  await expect(page.getByText(/^No account is connected yet\./)).toBeVisible()
})

test('two are connected at once, each in its window: one’s own, and the workspace’s under another name', async ({
  page
}) => {
  await open(page)
  await page.getByRole('button', { name: 'Connect Acme Tracker…' }).click()
  const mine = await popupOf(page, 'Connect Acme Tracker')
  await page.getByRole('button', { name: 'Connect Acme Tracker…' }).click()
  await page.getByRole('radio', { name: /For the workspace/ }).check()
  await page.getByText('Another account').click()
  await page.getByRole('textbox', { name: 'Its name here' }).fill('The Office')
  await page.getByRole('button', { name: 'Connect Acme Tracker', exact: true }).click()
  await expect(page.getByText('Use small letters, digits, - and _ only.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Its name here' }).fill('tracker-office')
  const office = await popupOf(page, 'Connect Acme Tracker')
  await expect(page.getByText('Finish in the window of Acme Tracker (tracker-office).')).toBeVisible()
  await expect(office.getByText('the workspace')).toBeVisible()
  await enter(office, 'token-of-the-office')
  await expect(page.getByText('Acme Tracker (tracker-office) is connected.')).toBeVisible()
  await enter(mine, 'token-of-ada')
  await expect(page.getByText('Acme Tracker is connected.')).toBeVisible()
  await expect(connections(page)).toHaveText([
    /Acme Tracker.*ada.*Yours.*Never used/,
    /Acme Tracker.*office.*tracker-office.*The workspace’s/
  ])
  await expect(service(page, 'Acme Tracker')).toContainText('Ready')
})

test('Cancel shuts the window; an account can be connected again under the same name', async ({ page }) => {
  await open(page)
  const popup = await popupOf(page, 'Reconnect Acme Tracker (ada)')
  await expect(page.getByText('Finish in the window of Acme Tracker.')).toBeVisible()
  const closed = popup.waitForEvent('close')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await closed
  await enter(await popupOf(page, 'Reconnect Acme Tracker (ada)'), 'token-of-ada')
  await expect(page.getByText('Acme Tracker is connected.')).toBeVisible()
  await expect(connections(page)).toHaveCount(2)
})

test('no window opens: there is a link, and the page notices when it is done there', async ({ page }) => {
  await page.addInitScript(() => {
    window.open = () => null
  })
  await open(page)
  await page.getByRole('button', { name: 'Reconnect Acme Tracker (ada)' }).click()
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Open Acme Tracker' }).click()
  await enter(await opened, 'token-of-ada')
  await expect(page.getByText('Acme Tracker is connected.')).toBeVisible()
})

test('an owner registers this server at a provider: the secret is kept, and never comes back', async ({
  page
}) => {
  await open(page)
  await page.getByRole('button', { name: 'Set up GitHub…' }).click()
  const form = page.getByRole('form', { name: 'Set up GitHub' })
  await expect(form.getByText(`${server.url}/api/connections/callback`)).toBeVisible()
  await form.getByRole('textbox', { name: 'Client ID' }).fill('client-of-ours')
  await form.getByLabel('Client secret').fill('a-secret-of-ours')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(service(page, 'GitHub').getByText('Saved.')).toBeVisible()
  await page.getByRole('button', { name: 'Set up GitHub…' }).click()
  await expect(form.getByRole('textbox', { name: 'Client ID' })).toHaveValue('client-of-ours')
  await expect(form.getByLabel('Client secret')).toHaveValue('')
  await expect(form.getByText('One is kept, sealed, for this provider.')).toBeVisible()
  await page.getByRole('button', { name: 'Connect GitHub…' }).click()
  await expect(page.getByRole('button', { name: 'Enter a token instead' })).toBeVisible()
  await page.getByRole('button', { name: 'Set up GitHub…' }).click()
  await form.getByRole('button', { name: 'Remove set-up…' }).click()
  await page.getByRole('button', { name: 'Remove set-up', exact: true }).click()
  await expect(service(page, 'GitHub').getByText('What was set up here is removed.')).toBeVisible()
})

test('without a client ID a service is saved, and the page says that nobody can connect yet', async ({
  page
}) => {
  await open(page)
  await page.getByRole('button', { name: 'Set up Google…' }).click()
  const form = page.getByRole('form', { name: 'Set up Google' })
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(
    service(page, 'Google').getByText('Saved. Nobody can connect until there is a client ID.')
  ).toBeVisible()
  await expect(service(page, 'Google')).toContainText('Not set up')
  await page.getByRole('button', { name: 'Set up Google…' }).click()
  await expect(form.getByRole('textbox', { name: 'API base' })).toHaveAccessibleDescription(
    /go to this origin, gmail\.googleapis\.com, .* and sheets\.googleapis\.com only\./
  )
  await form.getByRole('button', { name: 'Remove set-up…' }).click()
  await page.getByRole('button', { name: 'Remove set-up', exact: true }).click()
  await expect(service(page, 'Google').getByText('What was set up here is removed.')).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [1280, 390])
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: width === 390 ? 844 : 860 } })
      test('the page is accessible and never scrolls sideways', async ({ page }) => {
        const looksWell = async (name: string) => {
          expect((await new AxeBuilder({ page }).analyze()).violations, name).toEqual([])
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), name).toBe(0)
          await page.screenshot({ path: `${test.info().outputDir}/${name}.png` })
        }
        await open(page)
        await expect(connections(page)).toHaveText([/ada.* \d\d:\d\d/, /office.* \d\d:\d\d/])
        await looksWell('page')
        await page.getByRole('button', { name: 'Connect Acme Tracker…' }).click()
        await looksWell('connect')
        await page.getByRole('button', { name: 'Set up Acme Tracker…' }).click()
        await page.getByRole('checkbox', { name: /OAuth/ }).check()
        await looksWell('set-up')
      })
    })

test('revoked, it says who ended it and that the token is still good there; deleted, it is gone', async ({
  page
}) => {
  await open(page)
  await page.getByRole('button', { name: 'Revoke Acme Tracker (ada)…' }).press('Enter')
  await expect(page.getByRole('dialog')).toContainText('What was entered stays good at Acme Tracker')
  await page.getByRole('button', { name: 'Revoke connection' }).press('Enter')
  await expect(
    page.getByText(/^Acme Tracker \(ada\) is ended here\. .* withdraw it there too\.$/)
  ).toBeVisible()
  const row = connections(page).filter({ hasText: 'ada' })
  await expect(row).toContainText(/Ended by Local owner\./)
  await row.getByRole('button', { name: 'Delete Acme Tracker (ada)…' }).click()
  await page.getByRole('button', { name: 'Delete connection' }).click()
  await expect(page.getByText('Acme Tracker (ada) is deleted.')).toBeVisible()
  await expect(connections(page)).toHaveCount(1)
})

test('what the server refuses is said in its words', async ({ page }) => {
  await open(page)
  await page.route('**/api/connections/*', route =>
    route.fulfill({ status: 403, json: { error: 'Only an editor may end it.', code: 'FORBIDDEN' } })
  )
  await page.getByRole('button', { name: 'Delete Acme Tracker (office, tracker-office)…' }).click()
  await page.getByRole('button', { name: 'Delete connection' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Only an editor may end it.' })).toBeVisible()
})
