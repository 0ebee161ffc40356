import { type Api, expect, type Page, test } from '#tests/browser/test.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { publishAgent } from '#tests/support/servers/publish-agent.ts'
import { startSession } from './start-session.ts'

test.use({ serverOptions: { own: 'shell' } })

type Waiting = { calls: { sessionId: string }[] }

/** Starts a session and waits for its pending question. */
async function startWithQuestion(api: Api, sessionId: string, title?: string) {
  await startSession(api, sessionId, title)
  await api('POST', `/api/sessions/${sessionId}/messages`, { text: demo.askToChoose('tea', 'coffee') })
  const isWaiting = async () =>
    (await api<Waiting>('GET', '/api/waiting')).calls.some(call => call.sessionId === sessionId)
  await expect.poll(isWaiting).toBe(true)
}

test('a session that starts elsewhere appears in the list by itself, and an unchanged list is not redrawn', async ({
  page,
  api,
  id
}) => {
  await page.clock.install()
  await page.goto('/settings/profile')
  const list = page.getByTestId('sidebar')
  const title = id('Came from elsewhere')
  await startSession(api, id('appears'), title)
  const poll = async () => {
    const response = page.waitForResponse(/\/api\/sessions\?/)
    await page.clock.runFor(3000)
    await response
  }
  await poll()
  await expect(list.getByText(title)).toBeVisible()
  await list.evaluate(element => {
    const seen = { mutations: 0 }
    Object.assign(window, { seen })
    new MutationObserver(records => {
      seen.mutations += records.length
    }).observe(element, { subtree: true, childList: true, characterData: true })
  })
  for (let polls = 0; polls < 2; polls++) await poll()
  expect(
    await page.evaluate(() => (window as unknown as { seen: { mutations: number } }).seen.mutations)
  ).toBe(0)
})

test('everything works by keyboard: n starts a session and focuses the message field, and Alt ↓ and w switch sessions', async ({
  page,
  api,
  id
}) => {
  await startWithQuestion(api, id('by-keyboard'))
  await page.goto('/sessions')
  await page.keyboard.press('n')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/sessions\/s_/)
  await expect(page.locator('[data-composer]')).toBeFocused()
  const newSessionUrl = page.url()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page).not.toHaveURL(newSessionUrl)
  await page.goto('/agents')
  await page.keyboard.press('w')
  await expect(page).toHaveURL(/\/sessions\//)
})

test('⌘K finds sessions by their title, agents and actions', async ({ page, api, id }) => {
  const word = id('lamp')
  await startSession(api, word, `Order of ${word}`)
  await page.goto('/sessions')
  // The first keys arrive before the code of the palette.
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('sett')
  const field = page.getByRole('dialog').getByRole('combobox')
  await expect(field).toHaveValue('sett')
  await field.fill(word)
  await expect(page.getByRole('option', { name: `Order of ${word}` })).toHaveAttribute(
    'aria-selected',
    'true'
  )
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/sessions/${word}`)
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('settings')
  await expect(field).toHaveValue('settings')
  await page.keyboard.press('Enter')
  await page.waitForURL('/settings')
  for (const [words, path] of [
    ['wikis', '/wikis'],
    ['plugins', '/plugins'],
    ['tool rules', '/settings/tool-rules']
  ] as const) {
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type(words)
    await page.keyboard.press('Enter')
    await page.waitForURL(path)
  }
})

test('⌘K offers the actions of the open session, and opens its request without an answer', async ({
  page,
  context,
  api,
  id
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await startWithQuestion(api, id('acts'), id('acts'))
  await page.goto(`/sessions/${id('acts')}`)
  await expect(page.getByTestId('dock')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog')
  const groups = palette.getByRole('group')
  await expect(groups.first()).toHaveAccessibleName('Requests for you')
  await expect(groups.first()).not.toContainText('Answer:')
  await expect(groups.nth(1)).toHaveAccessibleName('Recent sessions')
  await expect(groups.nth(2)).toHaveAccessibleName('This session')
  await expect(palette.getByRole('option', { name: /approve|decline/i })).toHaveCount(0)
  await palette.getByRole('combobox').fill(`answer ${id('acts')}`)
  await expect(palette.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/waiting\?call=/)
  await expect(page.getByTestId('request').locator('[data-call]')).toBeVisible()
  await page.goto(`/sessions/${id('acts')}`)
  await expect(page.getByTestId('dock')).toBeVisible()
  await page.getByTestId('find').click()
  await palette.getByRole('combobox').fill('copy link')
  await expect(palette.getByRole('option').first().locator('mark')).toHaveText(['Copy', 'link'])
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(new RegExp(`/sessions/${id('acts')}$`))
  await startSession(api, id('done'))
  await page.goto(`/sessions/${id('done')}`)
  await page.keyboard.press('ControlOrMeta+k')
  await palette.getByRole('combobox').fill('branch')
  await page.keyboard.press('Enter')
  await expect(palette.getByRole('alert')).not.toBeEmpty()
  await page.keyboard.press('Escape')
  await api('POST', `/api/sessions/${id('done')}/messages`, { text: 'say hello' })
  await expect(page.locator('[data-role="assistant"]')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await palette.getByRole('combobox').fill('branch')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/sessions\/s_/)
})

test('g and a letter lead to a page, but not in a field, nor when single-key shortcuts are off', async ({
  page
}) => {
  await page.goto('/sessions')
  for (const [letter, path] of [
    ['a', '/agents'],
    ['i', '/wikis'],
    ['w', '/waiting'],
    [',', '/settings']
  ] as const) {
    await page.keyboard.press('g')
    await page.keyboard.press(letter)
    await page.waitForURL(`**${path}`)
  }
  await page.getByTestId('search-sessions').pressSequentially('ga')
  await expect(page.getByTestId('search-sessions')).toHaveValue('ga')
  await page.getByTestId('single-keys').uncheck()
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeVisible()
  await expect(page).toHaveURL(/settings$/)
})

test('the list has the sessions that wait for the user first, and then those of today', async ({
  page,
  api,
  id
}) => {
  await startWithQuestion(api, id('grouped'))
  await startSession(api, id('quiet'))
  await page.goto('/settings')
  const lines = page.getByTestId('sessions').getByRole('listitem')
  await expect(lines.first()).toHaveText('Waiting')
  const [waiting, today, quiet] = await Promise.all(
    [
      lines.filter({ has: page.locator(`[data-session="${id('grouped')}"]`) }),
      lines.filter({ hasText: /^Today$/ }),
      lines.filter({ has: page.locator(`[data-session="${id('quiet')}"]`) })
    ].map(async line => Number(await line.getAttribute('aria-posinset')))
  )
  expect([waiting, today, quiet]).toEqual([waiting, today, quiet].toSorted((a = 0, b = 0) => a - b))
})

test('on a phone, the main pages are below the list of sessions', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/sessions')
  const link = page.getByTestId('sidebar').locator('a[href="/agents"]')
  expect((await link.boundingBox())?.y).toBeGreaterThan(750)
  await link.click()
  await page.waitForURL('**/agents')
})

test.describe('without its code, as after a deploy', () => {
  test.use({ allowedError: /Failed to load resource|dynamically imported module/ })

  test('the palette says that it was not loaded, and Esc closes it', async ({ page }) => {
    await page.goto('/sessions')
    await page.route('**/*.js', route => route.abort())
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('dialog').getByTestId('part-not-loaded')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})

test('single-letter shortcuts do nothing once they are turned off (WCAG 2.1.4)', async ({ page }) => {
  await page.goto('/settings/profile')
  await page.getByTestId('single-keys').uncheck()
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('n')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
})

test('the dialog for a new session has the focus on the agent that is selected', async ({
  page,
  api,
  id
}) => {
  await api('POST', '/api/agents', { agentId: id('first'), displayName: 'A first agent', chat: {} })
  await startSession(api, id('preselected'))
  await page.goto('/sessions')
  await page.getByTestId('open-new-session').click()
  const agents = page.getByRole('dialog').getByRole('radio')
  await expect(agents.first()).not.toBeChecked()
  await expect(page.getByRole('dialog').getByRole('radio', { checked: true })).toBeFocused()
})

/** Opens the help and returns the keys that it lists. */
async function listedKeys(page: Page) {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill('keyboard shortcuts')
  await page.keyboard.press('Enter')
  const keys = page.getByRole('dialog').locator('[data-hotkey]')
  await expect(keys.first()).toBeVisible()
  return keys.evaluateAll(all => all.map(key => key.getAttribute('data-hotkey') ?? ''))
}

test('the help lists the keys of the page, and none of them works behind a dialog', async ({
  page,
  api,
  id
}) => {
  await startSession(api, id('help'))
  await page.goto('/settings/profile')
  const everywhere = await listedKeys(page)
  expect(everywhere).toEqual(expect.arrayContaining(['mod+k', 'n', 'w', '?', 'g a']))
  expect(everywhere).not.toContain('i')
  await page.keyboard.press('n')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await expect(page.locator('[data-hotkey]')).toHaveCount(everywhere.length)

  await page.goto(`/sessions/${id('help')}`)
  const inSession = await listedKeys(page)
  expect(inSession).toEqual(expect.arrayContaining([...everywhere, 'i', 't', 'j', 'k', '/', 'mod+Enter']))
  await page.getByRole('dialog').getByRole('button').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('i')
  await expect(page).toHaveURL(/inspect=/)

  await page.goto('/settings/profile')
  await page.getByTestId('single-keys').uncheck()
  expect(await listedKeys(page)).toEqual(everywhere.filter(keys => keys.includes('+')))
})

test('a pending request is answered on its page and then leaves the list', async ({ page, api, id }) => {
  const sessionId = id('answered-in-place')
  await startWithQuestion(api, sessionId)
  await page.goto('/waiting')
  const row = page.locator(`#waits [data-key^="${sessionId}/"]`)
  await row.click()
  await page.getByTestId('request').getByText('tea', { exact: true }).click()
  await expect(row).toHaveCount(0)
})

test('a key is shown once, works, and is rejected after it was revoked', async ({ page, id }) => {
  const name = id('Night shift')
  await page.goto('/settings/keys')
  await page.getByTestId('new-key').click()
  await page.getByTestId('key-name').fill(name)
  await page.getByTestId('create-key').click()
  const keySecret = page.getByTestId('keys').getByTestId('secret')
  await expect(keySecret).toHaveText(/^way_[\w-]{43}$/)
  const secret = await keySecret.textContent()
  const ask = () => page.request.get('/api/agents', { headers: { authorization: `Bearer ${secret}` } })
  expect((await ask()).status()).toBe(200)
  await page.reload()
  await expect(keySecret).toHaveCount(0)
  await page.getByRole('listitem').filter({ hasText: name }).getByTestId('revoke-key').click()
  await page.getByTestId('confirm').click()
  await expect(page.getByText(name)).toHaveCount(0)
  expect((await ask()).status()).toBe(401)
})

test('if two users edit an agent, the second is notified and nothing is overwritten', async ({
  page,
  api,
  id
}) => {
  const agentId = id('edited')
  await api('POST', '/api/agents', { agentId, displayName: 'Edited' })
  await page.goto(`/agents/${agentId}`)
  await page.locator('input[name="description"]').fill('mine')
  await api('PUT', `/api/agents/${agentId}`, { agentId, displayName: 'Theirs', revision: 1 })
  await page.getByTestId('review-draft').click()
  await expect(page.getByTestId('newer-revision')).toHaveAttribute('data-revision', '2')
  await page.getByTestId('rebase-draft').click()
  await expect(page.locator('[name="displayName"]')).toHaveValue('Theirs')
  await expect(page.locator('input[name="description"]')).toHaveValue('mine')
  await publishAgent(page, 3)
})

test('a link prefetches its page when the pointer or the focus reaches it, and not before', async ({
  page
}) => {
  const prefetched: string[] = []
  page.on('request', request => {
    if (request.headers()['next-router-prefetch'] !== undefined)
      prefetched.push(new URL(request.url()).pathname)
  })
  const expectPrefetched = (path: string) => expect.poll(() => prefetched).toContain(path)
  await page.goto('/settings/profile')
  const link = (path: string) => page.getByTestId('sidebar').locator(`a[href="${path}"]`)
  await link('/wikis').hover()
  await expectPrefetched('/wikis')
  await link('/connections').focus()
  await expectPrefetched('/connections')
  expect(new Set(prefetched)).toEqual(new Set(['/wikis', '/connections']))
})

test('an agent with an invalid ID is not created, and the field shows the error', async ({ page, id }) => {
  const agentId = id('clerk')
  await page.goto('/agents/new')
  await page.locator('[name="displayName"]').fill('Clerk')
  const field = page.locator('[name="agentId"]')
  await page.getByTestId('agent-id-details').locator('summary').click()
  await field.fill('a clerk')
  await page.getByTestId('create-agent').click()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await field.fill(agentId)
  await page.getByTestId('create-agent').click()
  await page.waitForURL(`**/agents/${agentId}`)
})

test('unknown URLs are 404: a page for users, a JSON error for API clients', async ({ page }) => {
  expect((await page.goto('/sessions/never-was'))?.status()).toBe(404)
  await expect(page.getByTestId('lost')).toBeVisible()
  expect((await page.goto('/never-was'))?.status()).toBe(404)
  await expect(page.getByTestId('lost')).toBeVisible()
  await expect(page.getByTestId('sidebar')).toBeVisible()
  await page.context().clearCookies()
  expect((await page.goto('/never-was'))?.status()).toBe(404)
  await expect(page.getByTestId('lost')).toBeVisible()
  await expect(page.getByTestId('sidebar')).toHaveCount(0)
  const api = await page.request.get('/api/never-was')
  expect(api.status()).toBe(404)
  expect(await api.json()).toMatchObject({ code: 'NOT_FOUND' })
})
