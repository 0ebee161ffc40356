import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '#tests/browser/test.ts'

const home = () => process.env.WAYSTATION_TEST_URL ?? ''
const issuer = () => `${home()}/samples/acme`

/** A client elsewhere, which registered itself at Acme. */
let elsewhere: Server
let client: { clientId: string; redirectUri: string }

test.beforeAll(async () => {
  elsewhere = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Back elsewhere</h1>')
  )
  await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve))
  const redirectUri = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/back`
  const response = await fetch(`${issuer()}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'A client elsewhere',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none'
    })
  })
  client = { clientId: ((await response.json()) as { client_id: string }).client_id, redirectUri }
})
test.afterAll(() => {
  elsewhere.close()
})

const ours = () => ({ clientId: 'waystation', redirectUri: `${home()}/api/connections/callback` })

const authorize = ({ clientId, redirectUri } = ours(), more: Record<string, string> = {}) =>
  `${issuer()}/authorize?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid offline_access profile orders:read orders:write',
    state: 'the state',
    code_challenge: createHash('sha256').update(randomBytes(32).toString('base64url')).digest('base64url'),
    code_challenge_method: 'S256',
    ...more
  })}`

/** What the browser refused for the sake of a policy. */
const refusedOn = (page: Page): string[] => {
  const refused: string[] = []
  page.on('console', message => {
    if (/Content Security Policy|Refused to/.test(message.text())) refused.push(message.text())
  })
  return refused
}

/** Opens an address in a popup of a page of ours, as a connect button does. */
async function popup(page: Page, url: string): Promise<Page> {
  await page.goto('/samples/page')
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(url => {
      window.open(url, 'connect', 'popup,width=520,height=720')
    }, url)
  ])
  return opened
}

async function allow(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Ada Okafor' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
}

const opener = (page: Page) => page.evaluate(() => window.opener !== null)

test('a popup goes through Acme and back to us, with the code and with its opener', async ({ page }) => {
  const opened = await popup(page, authorize())
  const refused = refusedOn(opened)
  await allow(opened)
  await opened.waitForURL(url => url.pathname === '/api/connections/callback')
  expect(new URL(opened.url()).searchParams.get('code')).toBeTruthy()
  expect(new URL(opened.url()).searchParams.get('iss')).toBe(issuer())
  expect(await opener(opened)).toBe(true)
  expect(refused).toEqual([])
})

test('asked to, Acme severs the popup from its opener, and the code comes back all the same', async ({
  page
}) => {
  const opened = await popup(page, authorize(ours(), { acme_coop: '1' }))
  await allow(opened)
  await opened.waitForURL(url => url.pathname === '/api/connections/callback')
  expect(await opener(opened)).toBe(false)
})

test('a form may lead back to a client at another origin, by a redirect or by a form of its own', async ({
  page
}) => {
  for (const mode of ['query', 'form_post']) {
    await page.context().clearCookies()
    const refused = refusedOn(page)
    await page.goto(authorize(client, { response_mode: mode }))
    await allow(page)
    await expect(page.getByRole('heading', { name: 'Back elsewhere' }), mode).toBeVisible()
    expect(
      refused.filter(line => !line.includes("'none'")),
      mode
    ).toEqual([])
  }
})

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [390, 1280])
    test(`Acme's pages are in order for everybody: ${colorScheme}, ${width} px wide`, async ({
      browser
    }, testInfo) => {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width, height: 844 }
      })
      const page = await context.newPage()
      const inOrder = async (name: string) => {
        const found = await new AxeBuilder({ page }).analyze()
        expect(
          found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
          name
        ).toEqual([])
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
        expect(sideways, name).toBe(false)
        await page.screenshot({ path: testInfo.outputPath(`${name}.png`), fullPage: true })
      }
      await page.goto('/samples/acme/account')
      await inOrder('account-nobody')
      await page.goto(authorize())
      await inOrder('sign-in')
      await page.getByRole('button', { name: 'Ada Okafor' }).click()
      await inOrder('consent')
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.goto('/samples/acme')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ada Okafor at Acme')
      await inOrder('account')
      await page.getByRole('button', { name: 'Revoke Waystation' }).first().click()
      await inOrder('account-revoked')
      await page.goto(authorize({ ...ours(), redirectUri: 'https://evil.example/' }))
      await inOrder('fault')
      await page.goto('/samples/acme/nothing')
      await inOrder('nothing')

      const asked = await fetch(`${issuer()}/device/authorize`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: await deviceClient(), scope: 'orders:read' })
      })
      const device = (await asked.json()) as Record<string, string>
      await page.goto(`${issuer()}/device`)
      await page.getByRole('textbox', { name: 'Code' }).fill('BBBB-BBBB')
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(page.getByRole('alert')).toHaveText(/no such code/)
      await inOrder('device')
      await page.goto(String(device.verification_uri_complete))
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(page.getByText(String(device.user_code))).toBeVisible()
      await inOrder('device-confirm')
      await page.getByRole('button', { name: 'Yes, go on' }).click()
      await page.getByRole('button', { name: 'Allow' }).click()
      await expect(page.getByRole('status')).toContainText('Go back to your device')
      await inOrder('device-connected')
      await context.close()
    })

async function deviceClient(): Promise<string> {
  const response = await fetch(`${issuer()}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'A television with a rather long name, in the room at the end of the corridor',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      response_types: [],
      redirect_uris: [],
      token_endpoint_auth_method: 'none'
    })
  })
  return ((await response.json()) as { client_id: string }).client_id
}
