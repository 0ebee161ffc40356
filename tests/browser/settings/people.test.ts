import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, expect, type Page, test } from '#tests/browser/test.ts'
import type { FakeProvider } from '#tests/support/code-flow.ts'
import { startFakeOidc } from '#tests/support/fake-oidc.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

let oidc: FakeProvider
let server: TestServer
const closers: (() => Promise<unknown>)[] = []

test.beforeAll(async () => {
  oidc = await startFakeOidc([
    { account: '1', name: 'Ada Lovelace', login: 'ada' },
    { account: '2', name: 'Bob', login: 'bob@a-rather-long-company-name.example' }
  ])
  closers.push(() => oidc.stop())
  server = await startServer({
    AUTH_SECRET: 'a secret of thirty-two characters',
    WAYSTATION_VAULT_KEY: Buffer.alloc(32).toString('base64'),
    AUTH_ACME_ID: oidc.clientId,
    AUTH_ACME_SECRET: oidc.clientSecret,
    AUTH_ACME_ISSUER: oidc.url
  })
  closers.push(() => server.stop())
})
test.afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A browser of its own for one person. */
const someone = async (browser: Browser) =>
  (await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' })).newPage()

/** Looks at a page light and wide, and dark and narrow: axe finds nothing, and it does not scroll sideways. */
async function looksWell(page: Page, name: string) {
  for (const [colorScheme, width] of [
    ['dark', 390],
    ['light', 1280]
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 844 })
    const at = `${name}, ${colorScheme}, ${width} px`
    expect(
      (await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id),
      at
    ).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth), at).toBeLessThanOrEqual(width)
  }
}

test('the first owner claims the server and invites somebody, who joins, is made a viewer and is removed', async ({
  browser
}) => {
  test.slow()
  const [ada, bob] = [await someone(browser), await someone(browser)]
  await ada.goto('/sign-in')
  await looksWell(ada, 'sign-in')

  await ada.goto(server.readyLine.split(': ').at(-1) ?? '')
  await expect(ada.getByRole('heading', { name: 'Become the first owner' })).toBeVisible()
  await ada.getByRole('button', { name: 'Continue with Acme' }).press('Enter')
  await ada.getByRole('link', { name: 'Ada Lovelace' }).click()
  await expect(ada.getByText('Signed in as Ada Lovelace (ada).')).toBeVisible()
  await looksWell(ada, 'claim')
  await ada.getByRole('button', { name: 'Become its owner' }).press('Enter')
  await ada.waitForURL(/\/sessions$/)

  await ada.goto('/settings')
  const people = ada.getByRole('region', { name: 'People' })
  await people.getByLabel('Invite somebody as').selectOption('operator')
  await people.getByRole('button', { name: 'Make invite link' }).click()
  const link = (await people.getByText(/\/join\/[\w-]{43}$/).textContent()) ?? ''
  await expect(people.getByText('Link for one operator')).toBeVisible()

  await bob.goto(link)
  await expect(bob.getByText('Ada Lovelace invites you as operator')).toBeVisible()
  await looksWell(bob, 'join')
  await bob.getByRole('button', { name: 'Continue with Acme' }).click()
  await bob.getByRole('link', { name: 'Decline' }).click()
  await expect(bob.getByText('You were not signed in: it was declined there')).toBeVisible()
  await looksWell(bob, 'declined')
  await bob.getByRole('button', { name: 'Continue with Acme' }).click()
  await bob.getByRole('link', { name: 'Bob' }).click()
  await expect(bob).toHaveURL(link)
  await bob.getByRole('button', { name: 'Join as operator' }).click()
  await bob.waitForURL(/\/sessions$/)

  const key = { authorization: `Bearer ${server.apiKey}` }
  const begun = await bob.request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId: 'guide', sessionId: 'shared', title: 'Shared' }
  })
  expect(begun.status()).toBe(201)
  await bob.goto('/sessions/shared')
  await bob.getByRole('textbox', { name: /message/i }).fill('say hello to all')
  await bob.keyboard.press('Enter')
  await expect(bob.getByText('hello to all', { exact: true })).toBeVisible()
  await bob.goto('/agents')
  await expect(bob.getByRole('link', { name: 'New agent' })).toHaveCount(0)

  await ada.reload()
  const row = people.getByRole('listitem').filter({ hasText: 'Bob' })
  await expect(row).toContainText('bob@a-rather-long-company-name.example (acme)')
  await expect(people.getByText('Link for one operator')).toHaveCount(0)
  await people.getByRole('button', { name: 'Make invite link' }).click()
  await expect(people.getByText(/\/join\/[\w-]{43}$/)).toBeVisible()
  await people.scrollIntoViewIfNeeded()
  await looksWell(ada, 'people')
  await people.getByRole('button', { name: 'Revoke' }).click()
  await expect(people.getByText('The link opens nothing any more.')).toBeVisible()
  const own = people.getByRole('combobox', { name: 'Role of Ada Lovelace' })
  await own.selectOption('viewer')
  await expect(people.getByRole('alert')).toContainText('Ada Lovelace is the only owner here.')
  await expect(own).toHaveValue('owner')

  await people.getByRole('combobox', { name: 'Role of Bob' }).selectOption('viewer')
  await expect(people.getByText('Bob is viewer now.')).toBeVisible()
  await bob.goto('/sessions/shared')
  await expect(bob.getByText('hello to all', { exact: true })).toBeVisible()
  await expect(bob.getByRole('textbox', { name: /message/i })).toHaveCount(0)
  await bob.goto('/settings')
  const seen = bob.getByRole('region', { name: 'People' })
  await expect(seen.getByText('Owners invite people and decide on roles.')).toBeVisible()
  await expect(seen.getByRole('combobox')).toHaveCount(0)
  await looksWell(bob, 'people-viewer')

  await people.getByRole('button', { name: 'Remove Bob…' }).click()
  await expect(ada.getByRole('dialog')).toContainText('What they wrote stays.')
  await ada.getByRole('button', { name: 'Remove', exact: true }).click()
  // As long as it is open, it hides the rows.
  await expect(ada.getByRole('dialog')).toHaveCount(0)
  await expect(row).toHaveCount(0)
  await bob.goto('/sessions/shared')
  await expect(bob.getByText('You are not a member of any workspace here.')).toBeVisible()
  await looksWell(bob, 'stranger')
  await bob.goto(link)
  await expect(bob.getByRole('heading', { name: 'This link is over' })).toBeVisible()
  await looksWell(bob, 'over')
  await bob.goto('/sign-in')
  await bob.getByRole('button', { name: 'Use another account' }).click()
  await expect(bob.getByRole('button', { name: 'Continue with Acme' })).toBeVisible()
})
