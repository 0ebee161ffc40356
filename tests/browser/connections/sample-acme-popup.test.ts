import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '#tests/browser/test.ts'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import { allow, signInAtAcme } from './acme.ts'
import { authorize, type Client, hasOpener, openInPopup, waystationAt } from './sample-acme.ts'

// These tests cover the sample provider itself, which only changes in `packages/sample-acme` can break.
if (process.env.WAYSTATION_TEST_LONG) {
  /** A page at another origin, to which Acme redirects. */
  let elsewhere: Server
  let redirectUri: string

  test.beforeAll(async () => {
    elsewhere = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Back elsewhere</h1>')
    )
    await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve))
    redirectUri = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/back`
  })
  test.afterAll(() => {
    elsewhere.close()
  })

  /** Registers a client at Acme and returns its ID. */
  async function register(url: string, client: object): Promise<string> {
    const response = await fetch(`${url}/samples/acme/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...client, token_endpoint_auth_method: 'none' })
    })
    return ((await response.json()) as { client_id: string }).client_id
  }

  const registerElsewhere = async (url: string): Promise<Client> => ({
    clientId: await register(url, { client_name: 'A client elsewhere', redirect_uris: [redirectUri] }),
    redirectUri
  })

  test('Acme detaches the popup from its opener on request, and the code still arrives', async ({
    page,
    server
  }) => {
    const url = authorize(server.url, waystationAt(server.url), { acme_coop: '1' })
    const popup = await openInPopup(page, url)
    await signInAtAcme(popup)
    await allow(popup)
    await popup.waitForURL(url => url.pathname === '/api/connections/callback')
    expect(await hasOpener(popup)).toBe(false)
  })

  for (const response_mode of ['query', 'form_post'])
    test.describe(response_mode, () => {
      // The CSP of the oidc-provider page that submits the form blocks everything else.
      test.use({ allowedError: /'none'/ })

      test(`a form leads back to a client at another origin (${response_mode})`, async ({ page, server }) => {
        await page.goto(authorize(server.url, await registerElsewhere(server.url), { response_mode }))
        await signInAtAcme(page)
        await allow(page)
        await expect(page.getByRole('heading', { name: 'Back elsewhere' })).toBeVisible()
      })
    })

  test('the pages of Acme are accessible and never scroll sideways', async ({ page, server }) => {
    test.setTimeout(300_000)
    const open = (path: string) => page.goto(`${server.url}/samples/acme${path}`)
    await open('/account')
    await expectAccessible(page)
    await page.goto(authorize(server.url))
    await expectAccessible(page)
    await page.locator('button[name=person]').first().click()
    await page.locator('button[value=allow]').waitFor()
    await expectAccessible(page)
    await allow(page)
    await page.waitForURL(url => url.pathname === '/api/connections/callback')
    await open('')
    await expectAccessible(page)
    await page.locator('li button').first().click()
    await expect(page.getByRole('status')).not.toBeEmpty()
    await expectAccessible(page)
    await page.goto(
      authorize(server.url, { ...waystationAt(server.url), redirectUri: 'https://evil.example/' })
    )
    await expectAccessible(page)
    await open('/nothing')
    await expectAccessible(page)

    const client_id = await register(server.url, {
      client_name: 'A television with a rather long name, in the room at the end of the corridor',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      response_types: [],
      redirect_uris: []
    })
    const response = await fetch(`${server.url}/samples/acme/device/authorize`, {
      method: 'POST',
      body: new URLSearchParams({ client_id, scope: 'orders:read' })
    })
    const device = (await response.json()) as Record<string, string>
    await open('/device')
    await page.locator('[name=user_code]').fill('BBBB-BBBB')
    await page.locator('button.primary').click()
    await expect(page.getByRole('alert')).toBeVisible()
    await expectAccessible(page)
    await page.goto(String(device.verification_uri_complete))
    await page.locator('button.primary').click()
    await expect(page.getByText(String(device.user_code))).toBeVisible()
    await expectAccessible(page)
    await page.locator('button[name=confirm]').click()
    await allow(page)
    await expect(page.getByRole('status')).not.toBeEmpty()
    await expectAccessible(page)
  })
}
