import type { OobPolicy, SendOob } from '#lib/protocol/out-of-band.ts'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { looksWell } from '#tests/support/looks-well.ts'
import { serveStates } from '#tests/support/serve-states.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

/** Its own, since it looks at everything that was told there. */
let server: TestServer
test.beforeAll(async () => {
  server = await startServer({ WAYSTATION_LIMIT_OUT_OF_BAND: '1000' })
  await call('POST', '/api/agents', {
    agentId: 'crew',
    displayName: 'Crew',
    chat: { tools: [{ name: 'send_out_of_band' }, { name: 'ask-question' }] }
  })
})
test.afterAll(() => server.stop())
test.beforeEach(async ({ page }) => {
  await page.goto(`${server.url}/sign-in`)
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
})
test.describe.configure({ mode: 'serial' })

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  expect(response.ok, `${path}: ${text}`).toBe(true)
  return JSON.parse(text)
}
const create = (sessionId: string, title: string, agentId = 'crew') =>
  call('POST', '/api/plugins/sessions/operations/create', { agentId, sessionId, title })
const tell = (sessionId: string, content: string, more: Partial<SendOob> = {}) =>
  call<{ id: string }>('POST', `/api/sessions/${sessionId}/oob`, { content, sourceId: 'ci', ...more })
const setPolicy = (sessionId: string, policy: Partial<OobPolicy>) =>
  call('PUT', `/api/sessions/${sessionId}/oob/policy`, policy)
const policyOf = async (sessionId: string) =>
  (await call<{ oobPolicy: OobPolicy }>('GET', `/api/sessions/${sessionId}`)).oobPolicy
/** Says something to the agent, and waits until it rests. */
async function says(sessionId: string, text: string) {
  await call('POST', `/api/sessions/${sessionId}/messages`, { text, whenBusy: 'queue' })
  const status = async () => (await call<{ status: string }>('GET', `/api/sessions/${sessionId}`)).status
  await expect.poll(status).toBe('idle')
}
const open = (page: Page, path: string) => page.goto(server.url + path)
const held = (page: Page) =>
  page.getByRole('region', { name: 'Held for your yes' }).locator('[data-held-message]')
const policyDialog = async (page: Page) => {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: /^Out of band/ }).click()
  return page.getByRole('dialog', { name: 'Out of band' })
}

test('nothing was told: the page says what it is for, and is found from what waits and by the palette', async ({
  page
}) => {
  await open(page, '/waiting')
  await page.getByRole('link', { name: 'Out of band' }).click()
  await page.waitForURL(/\/out-of-band$/)
  await expect(page.getByText(/^Nothing was told out of band in the last 24 h\./)).toBeVisible()
  await page.getByRole('button', { name: 'Look at the last 30 days' }).click()
  await expect(page.getByText(/^Nothing was told out of band in the last 30 d\./)).toBeVisible()
  await expect(page).toHaveURL(/\?hours=720$/)
  await looksWell(page)
  await open(page, '/sessions/welcome')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('out of')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/out-of-band$/)
})

test('004-12: the list says quietly what waits out of band and what is held, as it comes and goes', async ({
  page
}) => {
  await create('list', 'A row of the list')
  const row = page.getByRole('list', { name: 'Sessions' }).getByRole('link', { name: /A row of the list/ })
  await expect(row).toBeVisible()
  await tell('list', 'Build 1 is red.')
  await expect(row).toContainText('1 out of band waits')
  await setPolicy('list', { mode: 'approve' })
  await tell('list', 'Build 2 is red.')
  await expect(row).toContainText('1 held for your yes, 1 out of band waits')
  await call('POST', '/api/sessions/list/messages', { text: 'ask me to choose between tea and coffee' })
  await expect(row).toContainText(/choose.*1 held out of band$/)
  await looksWell(page)
})

test('004-14: what is held stands above the composer with its words as they are, and is let in or removed by keyboard', async ({
  page
}) => {
  await create('held', 'Held')
  await setPolicy('held', { mode: 'approve' })
  await open(page, '/sessions/held')
  await expect(page.getByLabel('Message to Crew')).toBeVisible()
  await tell('held', '<img src=x onerror="document.title=1"> & </blockquote>\nBuild 3 is red.', {
    priority: 'high',
    metadata: { action: 'redirect' }
  })
  await tell('held', 'The kettle is free.', { sourceId: 'kitchen' })
  await expect(held(page)).toHaveCount(2)
  await expect(held(page).first()).toContainText('ci, another system')
  await expect(held(page).first()).toContainText('high')
  await expect(held(page).first()).toContainText('redirect')
  await expect(held(page).first().locator('blockquote')).toHaveText(
    '<img src=x onerror="document.title=1"> & </blockquote>\nBuild 3 is red.'
  )
  await expect(page.getByText(/^Held for a yes: out-of-band message from/)).toBeAttached()
  await looksWell(page)

  await page.getByRole('button', { name: 'Let in what ci, another system sent' }).press('Enter')
  await expect(held(page)).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Held for your yes' })).toBeFocused()
  await expect(page.getByRole('list', { name: 'Queued messages' })).toContainText('ci, another system: <img')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Remove what kitchen, another system sent' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(held(page)).toHaveCount(0)
  await says('held', 'say hello')
  const card = page.getByRole('region', { name: 'Out-of-band message from ci, another system' })
  await expect(card).toContainText('let in by Local owner')
  expect(await page.title()).toContain('Held')
})

test('004-14: a second click does not remove the message that has just taken the place of the first', async ({
  page
}) => {
  await create('twice', 'Twice')
  await setPolicy('twice', { mode: 'approve' })
  for (const build of [4, 5, 6, 7, 8]) await tell('twice', `Build ${build} is red.`)
  await open(page, '/sessions/twice')
  await expect(held(page)).toHaveCount(5)
  // The page is there before its buttons do something.
  await expect(async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await expect(page.getByRole('menu')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await page.keyboard.press('Escape')
  const remove = page.getByRole('button', { name: 'Remove what ci, another system sent' }).first()
  await remove.click({ trial: true })
  const box = await remove.boundingBox()
  const [x, y] = [(box?.x ?? 0) + 8, (box?.y ?? 0) + 8]
  /** What a click would hit where the button stands: at the moment when the list has become shorter. */
  const hitThen = page.evaluate(
    ([x, y]) =>
      new Promise(tell =>
        new MutationObserver((_, observer) => {
          if (document.querySelectorAll('[data-held-message]').length === 5) return
          observer.disconnect()
          tell(document.elementFromPoint(x, y)?.closest('button')?.textContent ?? 'nothing')
        }).observe(document.body, { childList: true, subtree: true })
      ),
    [x, y] as const
  )
  await page.mouse.dblclick(x, y)
  expect(await hitThen).toBe('nothing')
  await expect(held(page).locator('blockquote')).toHaveText(
    [5, 6, 7, 8].map(build => `Build ${build} is red.`)
  )
  const hitNow = () =>
    page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest('button')?.textContent ?? 'nothing', [
      x,
      y
    ] as const)
  await expect.poll(hitNow).toBe('Remove')
})

test('004-17: what a session lets in is changed in its menu by keyboard, stays, and is seen by whoever looks', async ({
  page
}) => {
  await create('policy', 'Policy')
  await open(page, '/sessions/policy')
  const dialog = await policyDialog(page)
  await expect(dialog.getByRole('radio', { name: /^On/ })).toBeChecked()
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await looksWell(page)
  await dialog.getByRole('radio', { name: /^On/ }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByRole('radio', { name: /^Ask first/ })).toBeChecked()
  await dialog.getByLabel('Lowest priority').selectOption('high')
  await expect(dialog.getByText('What is less than high is refused.')).toBeVisible()
  await page.route('**/oob/policy', route => route.abort(), { times: 1 })
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(dialog.getByText('The server does not answer. Nothing was saved; try again.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(dialog.getByText('Saved.')).toBeVisible()
  expect(await policyOf('policy')).toEqual({ mode: 'approve', minPriority: 'high', muted: [] })

  // What somebody else changes meanwhile is what one sees.
  await setPolicy('policy', { mode: 'off', muted: [{ source: 'agent' }] })
  await expect(dialog.getByRole('radio', { name: /^Off/ })).toBeChecked()
  await expect(dialog.getByRole('list', { name: 'Muted' })).toHaveText(/every other agent/)
  await dialog.getByRole('button', { name: 'Hear again: every other agent' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Saved.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(await policyOf('policy')).toEqual({ mode: 'off', minPriority: 'low', muted: [] })
  await page.reload()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: /^Out of band/ })).toHaveText('Out of band…off')
})

test('004-17: a source is muted at its message, refused from then on, and heard again', async ({ page }) => {
  await create('muted', 'Muted')
  await tell('muted', 'Build 8 is red.')
  await says('muted', 'say hello')
  await open(page, '/sessions/muted')
  const card = page.getByRole('region', { name: 'Out-of-band message from ci, another system' })
  await card.getByRole('button', { name: 'Mute this source: ci, another system' }).click()
  await expect(card).toContainText('Muted.')
  expect((await policyOf('muted')).muted).toEqual([{ source: 'external', sourceId: 'ci' }])
  const dialog = await policyDialog(page)
  await expect(dialog.getByRole('list', { name: 'Muted' })).toContainText('ci, another system')
  await looksWell(page)
  await page.keyboard.press('Escape')
  await card.getByRole('button', { name: 'Hear again: ci, another system' }).click()
  await expect(card.getByRole('button', { name: /^Mute this source/ })).toBeVisible()
  expect((await policyOf('muted')).muted).toEqual([])

  // Muted as one of many, it cannot be heard again alone.
  await setPolicy('muted', { muted: [{ source: 'external' }] })
  await expect(card).toContainText('Muted, as everything from this kind of source is.')
  await expect(card.getByRole('button')).toHaveCount(0)
})

test('004-17: who may not let things in sees the policy, not a way to change it, and why', async ({
  page
}) => {
  const states = await serveStates()
  await page.route(`${states.url}/api/**`, route => route.abort())
  await page.goto(`${states.url}/?state=not-mine`)
  const dialog = await policyDialog(page)
  await expect(
    dialog.getByText('You may see this. An approver of this workspace can change it.')
  ).toBeVisible()
  await expect(dialog.getByRole('radio', { name: /^On/ })).toBeDisabled()
  await expect(dialog.getByLabel('Lowest priority')).toBeDisabled()
  await expect(dialog.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await states.stop()
})

test.describe('who told whom', () => {
  const rows = (page: Page) => page.getByRole('list', { name: 'Who tells whom' }).locator('> li')

  test('004-17: each two stand there once, the newest first; a row opens to its messages, and those lead to their place', async ({
    page
  }) => {
    await create('review', 'Review the login')
    await create('build', 'Build 2.4')
    await create('docs', 'API documentation')
    const told = await tell('docs', 'API docs only, please.')
    await says('docs', 'say hello')
    for (let number = 1; number <= 30; number++) await says('docs', `say ${number}`)
    const on = (sessionId: string, content: string) =>
      `use send_out_of_band ${JSON.stringify({ sessionId, content, priority: 'high' })}`
    await says('review', on('build', 'Do not release yet.'))
    await tell('build', 'Build 9 is red.', { priority: 'low' })
    await tell('build', 'Build 10 is red.', { priority: 'low' })
    await open(page, '/out-of-band')
    await expect(rows(page).nth(0)).toHaveText(
      /^ci, another system to Build 2\.4\s*2 messages, last.*\d\d:\d\d.*Build 10 is red\.\s*waits$/
    )
    await expect(rows(page).nth(1)).toHaveText(
      /^Review the login to Build 2\.4.*Do not release yet\.\s*waits$/
    )
    await expect(rows(page).filter({ hasText: 'API documentation' })).toContainText('told')

    // It lives: what is told while one looks stands on top.
    await tell('docs', 'And the index.')
    await expect(rows(page).nth(0)).toContainText('And the index.')
    await page.keyboard.press('j')
    await expect(rows(page).nth(0).locator('[data-edge]')).toBeFocused()
    await page.keyboard.press('Enter')
    const messages = rows(page).nth(0).getByRole('list', { name: 'Messages' }).getByRole('listitem')
    await expect(messages).toHaveCount(2)
    await expect(messages.nth(0)).toContainText(/normal\s*waits/)
    await expect(messages.nth(1)).toContainText(/told after \d/)
    await expect(messages.nth(1)).toContainText('API docs only, please.')
    await looksWell(page)
    await messages
      .nth(1)
      .getByRole('link', { name: /^Show in the session/ })
      .click()
    await page.waitForURL(`**/sessions/docs?oob=${told.id}`)
    // It stands far above: earlier messages are read until it is there.
    await expect(
      page.getByRole('region', { name: 'Out-of-band message from ci, another system' })
    ).toBeInViewport()
  })

  test('004-17: the same as a drawing, and message by message; the address keeps what one looks at', async ({
    page
  }) => {
    const { id } = await tell('docs', 'The cellar is dry.')
    await call('DELETE', `/api/sessions/docs/oob/${id}`)
    await setPolicy('docs', { mode: 'approve' })
    await tell('docs', 'And the glossary.')
    await open(page, '/out-of-band')
    const drawing = page.getByRole('img', { name: /^A drawing of the list/ })
    await expect(drawing).toContainText('Review the login')
    await expect(drawing.locator('[data-arc]')).toHaveCount(await rows(page).count())
    await rows(page).filter({ hasText: 'Review the login' }).hover()
    await expect(drawing.locator('[data-arc="session review > session build"]')).toHaveClass(/text-ink/)
    await page.getByRole('button', { name: 'Each message' }).click()
    const messages = page.getByRole('list', { name: 'Messages' }).getByRole('listitem')
    await expect(messages.first()).toContainText('And the glossary.')
    await expect(messages.first()).toContainText('held')
    await expect(messages.filter({ hasText: 'Review the login to Build 2.4' })).toContainText(
      'Do not release'
    )
    await expect(messages.filter({ hasText: 'The cellar is dry.' })).toContainText('taken back')
    await looksWell(page)
    await page.getByRole('button', { name: '1 h', exact: true }).click()
    await expect(page).toHaveURL(/\?hours=1&view=messages$/)
    await page.reload()
    await expect(page.getByRole('button', { name: '1 h', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true'
    )
    await expect(messages.first()).toContainText('And the glossary.')
  })
})
