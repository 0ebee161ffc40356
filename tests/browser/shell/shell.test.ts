import { AxeBuilder } from '@axe-core/playwright'
import { expect, key, type Page, test } from '#tests/browser/test.ts'
import { publishAgent } from '#tests/support/publish-agent.ts'

/** A session of its own with a question that waits. */
async function askingSession(page: Page, sessionId: string) {
  await page.request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId: 'guide', sessionId }
  })
  await page.request.post(`/api/sessions/${sessionId}/messages`, {
    headers: key,
    data: { text: 'ask me to choose between tea and coffee' }
  })
  const calls = async () =>
    (await (await page.request.get('/api/waiting', { headers: key })).json()).calls as { sessionId: string }[]
  await expect.poll(async () => (await calls()).some(call => call.sessionId === sessionId)).toBe(true)
}

test('one click lands in the unsent session with its prompts; signing out shuts every page', async ({
  page,
  context
}) => {
  await context.clearCookies()
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
  await expect(page.getByRole('button', { name: /Fetch a page/ })).toBeVisible()
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(/sign-in$/)
  await page.goto('/sessions')
  await expect(page).toHaveURL('/sign-in')
  for (const path of ['/sessions/welcome', '/waiting', '/agents', '/settings']) {
    await page.goto(path)
    await expect(page).toHaveURL(`/sign-in?callbackUrl=${encodeURIComponent(path)}`)
  }
})

test('a link leads where it points, with a sign-in on the way', async ({ page, context }) => {
  await context.clearCookies()
  const link = '/attach?agentId=guide&sessionId=order-99'
  await page.goto(link)
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await expect(page).toHaveURL(link)
  await context.clearCookies()
  await page.goto('/sign-in?callbackUrl=https://evil.example/')
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await expect(page).toHaveURL(/\/sessions\/welcome$/)
})

test('a session that begins elsewhere comes into the list by itself, and a quiet list is not redrawn', async ({
  page
}) => {
  await page.goto('/settings')
  const list = page.getByRole('navigation', { name: 'Sessions' })
  await page.request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId: 'guide', sessionId: 'appears', title: 'Came from elsewhere' }
  })
  await expect(list.getByText('Came from elsewhere')).toBeVisible()
  await list.evaluate(element => {
    const seen = { mutations: 0 }
    Object.assign(window, { seen })
    new MutationObserver(records => {
      seen.mutations += records.length
    }).observe(element, { subtree: true, childList: true, characterData: true })
  })
  for (let polls = 0; polls < 2; polls++) await page.waitForResponse(/\/api\/sessions\?/)
  expect(
    await page.evaluate(() => (window as unknown as { seen: { mutations: number } }).seen.mutations)
  ).toBe(0)
})

test('everything by keyboard: n begins a session and puts the cursor where one writes, Alt ↓ and w go on', async ({
  page
}) => {
  await askingSession(page, 'by-keyboard')
  await page.goto('/sessions')
  await page.keyboard.press('n')
  await expect(page.getByRole('dialog', { name: 'New session' })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/sessions\/s_/)
  await expect(page.getByRole('textbox', { name: /message/i })).toBeFocused()
  const begun = page.url()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page).not.toHaveURL(begun)
  await page.goto('/agents')
  await page.keyboard.press('w')
  await expect(page).toHaveURL(/\/sessions\//)
})

test('⌘K finds sessions by their words, agents and actions', async ({ page }) => {
  await page.request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId: 'guide', sessionId: 'lamp-oil', title: 'Order of lamp oil' }
  })
  await page.goto('/sessions')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('lamp')
  await expect(page.getByRole('option', { name: /Order of lamp oil/ })).toHaveAttribute(
    'aria-selected',
    'true'
  )
  await page.keyboard.press('Enter')
  await page.waitForURL(/lamp-oil$/)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('settings')
  await page.keyboard.press('Enter')
  await page.waitForURL(/settings$/)
})

test('single letters do nothing once they are switched off (WCAG 2.1.4)', async ({ page }) => {
  await page.goto('/settings')
  await page.getByLabel(/Single letters act/).uncheck()
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('n')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('dialog', { name: 'Find' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
})

test('what waits is answered where it stands, and leaves the list', async ({ page }) => {
  await askingSession(page, 'answered-in-place')
  await page.goto('/waiting')
  const row = page.getByRole('listitem').filter({ has: page.locator('a[href*="answered-in-place"]') })
  await row.getByRole('button', { expanded: false }).click()
  await row.getByText('tea', { exact: true }).click()
  await expect(page.locator('#waits a[href*="answered-in-place"]')).toHaveCount(0)
})

test('a key is shown once, works, and is refused after it was revoked', async ({ page }) => {
  await page.goto('/settings')
  await page.getByLabel('Name of a new key').fill('Night shift')
  await page.getByRole('button', { name: 'Make key' }).click()
  const secret = await page.getByText(/^way_[\w-]{43}$/).textContent()
  const ask = () => page.request.get('/api/agents', { headers: { authorization: `Bearer ${secret}` } })
  expect((await ask()).status()).toBe(200)
  await page.reload()
  await expect(page.getByText(secret!)).toHaveCount(0)
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Night shift' })
    .getByRole('button', { name: 'Revoke…' })
    .click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByText('Night shift')).toHaveCount(0)
  expect((await ask()).status()).toBe(401)
})

test('two people edit an agent: the second is told, and nothing is overwritten', async ({ page }) => {
  await page.request.post('/api/agents', { headers: key, data: { agentId: 'edited', displayName: 'Edited' } })
  await page.goto('/agents/edited')
  await page.getByLabel('Description').fill('mine')
  const theirs = await page.request.put('/api/agents/edited', {
    headers: key,
    data: { agentId: 'edited', displayName: 'Theirs', revision: 1 }
  })
  expect(theirs.status()).toBe(200)
  await page.getByRole('button', { name: 'Publish…' }).click()
  await expect(page.getByText('Revision 2 was published meanwhile. Your draft is kept.')).toBeVisible()
  await page.getByRole('button', { name: 'Put mine over it' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Theirs')
  await expect(page.getByLabel('Description')).toHaveValue('mine')
  await publishAgent(page, 3)
})

test('an agent whose tools are wrong is not saved, and the field says what is wrong', async ({ page }) => {
  await page.goto('/agents/new')
  await page.getByLabel('Name', { exact: true }).fill('Clerk')
  await page.getByLabel('ID', { exact: true }).fill('clerk')
  const external = page.getByLabel('External tools')
  await external.fill('[{')
  await page.getByRole('button', { name: 'Make agent' }).click()
  await expect(external).toHaveAccessibleDescription(/not valid JSON yet/)
  await external.fill('')
  await page.getByRole('button', { name: 'Make agent' }).click()
  await page.waitForURL(/\/agents\/clerk$/)
})

test('unknown addresses are 404: a page for people, a refusal for programs', async ({ page }) => {
  expect((await page.goto('/sessions/never-was'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing stops here')
  const api = await page.request.get('/api/never-was')
  expect(api.status()).toBe(404)
  expect(await api.json()).toMatchObject({ code: 'NOT_FOUND' })
})

for (const colorScheme of ['light', 'dark'] as const)
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 }
  ])
    test(`no page has an accessibility fault or scrolls sideways (${colorScheme}, ${viewport.width} px)`, async ({
      page
    }) => {
      test.setTimeout(180_000)
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      for (const path of [
        '/sessions',
        '/waiting',
        '/agents',
        '/agents/guide',
        '/agents/new',
        '/settings',
        '/never-was'
      ]) {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
        const { violations } = await new AxeBuilder({ page }).analyze()
        expect(
          violations.map(({ id, nodes }) => [path, id, nodes[0]?.html]),
          path
        ).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBe(0)
      }
    })
