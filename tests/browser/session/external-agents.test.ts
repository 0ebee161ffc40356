import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import { createExternal, createWiki, openSession, typeMessage } from './open.ts'
import { type Api, type ExternalSystem, expect, type Page, test } from './test.ts'

const transcript = (page: Page) => page.getByTestId('transcript')
const face = (page: Page) => page.locator('[data-face]')
const delivery = (page: Page) => transcript(page).getByTestId('message-delivery')

/** Creates an external agent and a session with it, both with this ID. */
async function openExternal(page: Page, api: Api, external: ExternalSystem, agentId: string) {
  await createExternal(api, agentId, external)
  await openSession(page, api, { agentId, sessionId: agentId, title: agentId })
}

test('000-18, 000-19: an external agent is created, a session is attached by its ID, and a message is sent and answered', async ({
  page,
  context,
  api,
  external,
  id
}) => {
  const [agentId, sessionId, taken] = [id('acme'), id('order'), id('taken')]
  await api('POST', '/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId: taken })
  await page.goto('/agents/new')
  await page.locator('[name=type][value=external]').check()
  await page.locator('[name=displayName]').fill('Acme office')
  await page.getByTestId('agent-id-details').locator('summary').click()
  await page.locator('[name=agentId]').fill(agentId)
  await page.locator('[name="external.inputUrl"]').fill(external.inputUrl)
  await page.getByTestId('create-agent').click()
  await page.waitForURL(`/agents/${agentId}`)

  await page.getByTestId('new-session').click()
  const dialog = page.getByRole('dialog')
  const check = dialog.getByTestId('id-check')
  const field = dialog.getByRole('textbox')
  await field.fill(taken)
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(check).not.toBeEmpty()
  await expect(dialog.getByTestId('create-session')).toBeDisabled()
  await field.fill('no/slash')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await field.fill(sessionId)
  await expect(check).not.toBeEmpty()
  await expect(field).toHaveAttribute('aria-invalid', 'false')
  await dialog.getByTestId('create-session').click()
  await page.waitForURL(`/sessions/${sessionId}`)
  await expect(page.getByTestId('external-agent')).toContainText('Acme office')
  await expect(page.getByTestId('callback')).toContainText(`/external/sessions/${sessionId}/messages?token=`)

  await typeMessage(page, 'two crates of lamp oil')
  await expect(delivery(page)).toHaveAttribute('data-state', 'sent')
  await expect.poll(() => external.received.length).toBe(1)

  const other = await context.newPage()
  await other.goto(`/sessions/${sessionId}`)
  await expect(delivery(other)).toHaveAttribute('data-state', 'sent')
  await expect(face(other)).toContainText('Acme office')

  expect((await external.reply('It is **on its way**. <img src=x onerror=alert(1)>')).status).toBe(200)
  for (const tab of [page, other]) {
    await expect(transcript(tab).locator('strong', { hasText: 'on its way' })).toBeVisible()
    await expect(delivery(tab)).toHaveCount(0)
    await expect(tab.locator('img[src="x"]')).toHaveCount(0)
    await expect(face(tab)).toHaveAttribute('data-face', 'idle')
    await expect(face(tab)).not.toContainText('Acme office')
  }

  await page.goto(`/attach?agentId=${agentId}&sessionId=${sessionId}`)
  await page.getByTestId('attach-session').click()
  await page.waitForURL(`/sessions/${sessionId}`)
})

test('000-21: a selected file is sent with messages while its box is checked, even after a reload', async ({
  page,
  api,
  external,
  id
}) => {
  await openExternal(page, api, external, id('order'))
  const box = page.getByTestId('send-active-item')
  await expect(box).toBeDisabled()
  await expect(box).toHaveAccessibleDescription(/Acme office/)
  const file = page.getByTestId('active-item-input')
  await file.setInputFiles({
    name: 'huge.txt',
    mimeType: 'text/plain',
    buffer: Buffer.alloc(300 * 1024, 'x')
  })
  await expect(page.getByTestId('active-item-fault')).toContainText('huge.txt')
  await expect(box).toBeDisabled()
  await file.setInputFiles({
    name: 'order.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"crates": 2}')
  })
  await expect(box).toBeChecked()

  await page.reload()
  await expect(box).toBeChecked()
  const send = async (text: string) => {
    const before = external.received.length
    await typeMessage(page, text)
    await expect.poll(() => external.received.length).toBe(before + 1)
    return external.received.at(-1)
  }
  expect(await send('look at this')).toMatchObject({
    activeArtifact: { type: 'json', id: 'order.json' },
    activeArtifactContent: { crates: 2 }
  })
  await expect(transcript(page).getByTestId('sent-item')).toContainText('order.json')
  await box.uncheck()
  expect(await send('and nothing with this')).not.toHaveProperty('activeArtifact')
  await page.getByTestId('clear-active-item').click()
  await expect(box).toBeDisabled()
})

test('000-21: a wiki page is searched, selected and sent with its current content', async ({
  page,
  api,
  external,
  id
}) => {
  await openExternal(page, api, external, id('order'))
  const wiki = id('recipes')
  const createSoupItem = await createWiki(api, wiki)
  await page.getByTestId('choose-page').click()
  const dialog = page.getByRole('dialog')
  // The workspace can also have wikis of other tests.
  const choice = dialog.locator('select')
  await expect(dialog.getByRole('searchbox')).toBeVisible()
  if ((await choice.count()) > 0) await choice.selectOption(wiki)
  const pages = dialog.getByRole('listitem')
  await expect(pages).toHaveText(['Bread', 'Soup'])
  await expect(dialog.getByTestId('page-count')).toContainText('2')
  await dialog.getByRole('searchbox').fill('soup')
  await expect(pages).toHaveText(['Soup'])
  await expect(dialog.getByTestId('page-count')).toContainText('1')
  await dialog.getByRole('button', { name: 'Soup' }).click()
  const box = page.getByTestId('send-active-item')
  await expect(box).toHaveAccessibleName(new RegExp(`Soup .*${wiki}`))
  await expect(box).toBeChecked()
  await page.reload()
  await expect(box).toBeChecked()
  await createSoupItem('Leek and salt.')
  await typeMessage(page, 'cook this')
  await expect.poll(() => external.received.length).toBe(1)
  expect(external.received[0]).toMatchObject({
    activeArtifact: { type: 'wiki', id: `${wiki}/Soup` },
    activeArtifactContent: { text: 'Leek and salt.' }
  })
  await expect(transcript(page).getByTestId('sent-item')).toContainText('Soup')
})

test('000-21: a workspace without wikis shows that in the page dialog', async ({
  page,
  api,
  external,
  id
}) => {
  await page.route('/api/wikis', route => route.fulfill({ json: { wikis: [] } }))
  await openExternal(page, api, external, id('order'))
  await page.getByTestId('choose-page').click()
  await expect(page.getByRole('dialog').getByTestId('no-wiki')).toBeVisible()
})

test('000-14: a failed delivery to an external agent is shown at its message, survives a reload, and can be sent again', async ({
  page,
  api,
  external,
  id
}) => {
  external.status = 503
  const sessionId = id('order')
  await openExternal(page, api, external, sessionId)
  await typeMessage(page, 'anybody there?')
  await expect(delivery(page)).toHaveAttribute('data-state', 'failed')
  await expect(delivery(page)).toContainText('503')
  await expect(face(page)).toHaveAttribute('data-face', 'failed')
  await expect(face(page)).toContainText('503')
  const row = page.locator(`a[href="/sessions/${sessionId}"][data-state]`)
  await expect(row).toHaveAttribute('data-state', 'failed')
  await page.reload()
  await expect(delivery(page)).toContainText('503')

  external.status = 200
  await page.getByTestId('send-again').click()
  await expect(delivery(page)).toHaveAttribute('data-state', 'sent')
  await expect
    .poll(() => external.received.map(({ message }) => message.text))
    .toEqual(['anybody there?', 'anybody there?'])
})

test('000-17: a reply to an earlier message names it, and moves to it', async ({
  page,
  api,
  external,
  id
}) => {
  await openExternal(page, api, external, id('acme'))
  for (const text of ['two crates of lamp oil', 'and a lamp']) await typeMessage(page, text)
  await expect.poll(() => external.received.length).toBe(2)
  const [first, second] = external.received.map(({ message }) => message.id)
  const answer = (message: string | undefined, text: string) =>
    external.reply(text, { 'waystation-in-reply-to': message ?? '' })
  await answer(second, 'The lamp is here.')
  await expect(transcript(page)).toContainText('The lamp is here.')
  await expect(page.getByTestId('in-reply-to')).toHaveCount(0)
  await answer(first, 'The crates follow.')
  await page.getByTestId('in-reply-to').filter({ hasText: 'two crates of lamp oil' }).click()
  await expect(page.locator(`[data-row="${first}"]`)).toBeFocused()
})

test('a test message shows the response of the external agent, and arrives in no session', async ({
  page,
  api,
  external,
  id
}) => {
  const agentId = id('acme')
  await createExternal(api, agentId, external)
  await page.goto(`/agents/${agentId}`)
  const outcome = page.getByTestId('test-outcome')
  await page.getByTestId('test-agent').click()
  await expect(outcome).toContainText('200')
  external.status = 503
  await page.getByTestId('test-agent').click()
  await expect(outcome).toContainText('503')
  await expectAccessible(page)
  expect(external.received.map(({ message }) => message.type)).toEqual(['test', 'test'])
})

test('000-19: the status of an external agent is shown until it replies or the line expires, and survives a reload', async ({
  page,
  api,
  external,
  id
}) => {
  const sessionId = id('order')
  await openExternal(page, api, external, sessionId)
  await typeMessage(page, 'two crates of lamp oil')
  await expect(delivery(page)).toHaveAttribute('data-state', 'sent')
  await expect.poll(() => external.received.length).toBe(1)
  const line = transcript(page).getByTestId('agent-status')
  const row = page.locator(`a[href="/sessions/${sessionId}"][data-state]`)
  await external.post('status', { text: 'Looking up <b>the order</b>…', ttlSeconds: 600 })
  await expect(line).toHaveText('Looking up <b>the order</b>…')
  await expect(delivery(page)).toHaveCount(0)
  await expect(face(page)).toHaveAttribute('data-face', 'running')
  await expect(row.getByTestId('session-reason')).toHaveText('Looking up <b>the order</b>…')
  await page.reload()
  await expect(line).toHaveText('Looking up <b>the order</b>…')
  await expectAccessible(page)
  await external.reply('It is on its way.')
  await expect(transcript(page)).toContainText('It is on its way.')
  await expect(line).toHaveCount(0)

  // It can also be shown without a message, and disappears by itself.
  await external.post('status', { text: 'Packing', ttlSeconds: 2 })
  await expect(line).toHaveText('Packing')
  await expect(line).toHaveCount(0)
  await expect(face(page)).toHaveAttribute('data-face', 'idle')
})

test('000-15: the reply command works as it is shown, also for an agent with a signing secret', async ({
  page,
  api,
  external,
  id
}) => {
  const agentId = id('order')
  await openExternal(page, api, external, agentId)
  await expect(page.getByTestId('callback')).toContainText('token=')
  await api('POST', `/api/agents/${agentId}/secrets`, {})
  await page.reload()
  await expect(page.getByTestId('callback')).toContainText('Authorization')
  await expectAccessible(page)
  const { secret: key } = await api<{ secret: string }>('POST', '/api/keys', {
    name: agentId,
    role: 'operator'
  })
  const command = await page.getByTestId('callback').locator('pre').textContent()
  await promisify(execFile)('bash', ['-c', command ?? ''], { env: { ...process.env, KEY: key } })
  await expect(transcript(page).locator('strong', { hasText: 'external agent' })).toBeVisible()
})

test('000-10: Stop is offered while an external agent has not replied, by button and by key, and the agent is asked once', async ({
  page,
  api,
  external,
  id
}) => {
  await openExternal(page, api, external, id('order'))
  const stop = page.getByTestId('stop-turn')
  await expect(stop).toHaveCount(0)
  await typeMessage(page, 'two crates of lamp oil')
  await expect.poll(() => external.received.length).toBe(1)
  await external.post('status', { text: 'Packing', ttlSeconds: 600 })
  await expect(transcript(page).getByTestId('agent-status')).toBeVisible()
  await stop.click()
  await expect.poll(() => external.received.map(({ message }) => message.type)).toEqual(['user', 'cancel'])
  await expect(transcript(page).getByTestId('agent-status')).toHaveCount(0)
  await expect(delivery(page)).toHaveAttribute('data-state', 'sent')
  await expect(stop).toHaveCount(0)
  await expectAccessible(page)

  await typeMessage(page, 'and a lamp')
  await expect(stop).toBeVisible()
  await page.keyboard.press('ControlOrMeta+.')
  await expect
    .poll(() => external.received.map(({ message }) => message.type).slice(2))
    .toEqual(['user', 'cancel'])
  await external.reply('Stopped.')
  await expect(transcript(page)).toContainText('Stopped.')
  await expect(stop).toHaveCount(0)
})

test('000-20: a file is attached to a message for an external agent, and the file of its reply can be downloaded', async ({
  page,
  api,
  external,
  id
}) => {
  const sessionId = id('order')
  await openExternal(page, api, external, sessionId)
  await page.getByTestId('attach-input').setInputFiles({
    name: 'order.bin',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from([1, 2, 3])
  })
  await expect(page.getByTestId('attachment')).toHaveAttribute('data-state', 'ready')
  // An external agent receives files of all kinds.
  await expect(page.getByTestId('attachment-unseen')).toHaveCount(0)
  await typeMessage(page, 'this order')
  await expect.poll(() => external.received.length).toBe(1)
  const [file] = external.received[0]?.message.files ?? []
  expect(file?.name).toBe('order.bin')
  const read = await fetch(file?.url ?? '')
  expect([...new Uint8Array(await read.arrayBuffer())]).toEqual([1, 2, 3])

  const upload = (external.received[0]?.callbackUrl ?? '').replace('/messages?', '/files?name=invoice.txt&')
  const stored = await (await fetch(upload, { method: 'POST', body: 'Twelve crowns.' })).json()
  expect((await external.post('replies', { text: 'The invoice:', fileIds: [stored.id] })).status).toBe(200)
  const link = transcript(page).getByRole('link', { name: 'invoice.txt' })
  await expect(link).toBeVisible()
  const download = page.waitForEvent('download')
  await link.click()
  expect((await download).suggestedFilename()).toBe('invoice.txt')
})
