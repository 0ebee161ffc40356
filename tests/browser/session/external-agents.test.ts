import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { looksWell } from '#tests/support/looks-well.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

let server: TestServer
let outside: Server
/** What the other system was sent, and what it answers. */
const got: { callbackUrl: string; message: { text: string } }[] = []
let status = 200

test.beforeAll(async () => {
  outside = createServer(async (request, response) => {
    got.push(JSON.parse(await text(request)))
    response.writeHead(status).end('ok')
  })
  await new Promise<void>(resolve => outside.listen(0, '127.0.0.1', resolve))
  server = await startServer({ WAYSTATION_EGRESS_ALLOW: '127.0.0.1' })
})
test.afterAll(async () => {
  outside.close()
  await server.stop()
})
test.beforeEach(async ({ page }) => {
  got.length = 0
  status = 200
  await page.goto(`${server.url}/sign-in`)
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
})

const reply = (body: string, url = got[0]?.callbackUrl ?? '') => fetch(url, { method: 'POST', body })
const transcript = (page: Page) => page.getByRole('region', { name: 'Transcript' })
const face = (page: Page) => page.locator('[data-face]')

test('000-18, 000-19: an external agent is made, a session attached by its ID, and a message goes out and is answered', async ({
  page,
  context
}) => {
  const { port } = outside.address() as AddressInfo
  await page.goto(`${server.url}/agents/new`)
  await page.getByRole('radio', { name: /External/ }).check()
  await page.getByRole('textbox', { name: 'Name' }).fill('Acme office')
  await page.getByRole('textbox', { name: 'ID', exact: true }).fill('acme')
  await page.getByRole('textbox', { name: 'Input URL' }).fill(`http://127.0.0.1:${port}/in`)
  await page.getByRole('button', { name: 'Make agent' }).click()
  await page.waitForURL(/\/agents\/acme$/)

  await page.getByRole('button', { name: 'New session' }).last().click()
  const dialog = page.getByRole('dialog', { name: 'New session' })
  const id = dialog.getByRole('textbox')
  await id.fill('welcome')
  await expect(dialog.getByText('This ID belongs to a session with Guide. Choose another.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Begin session' })).toBeDisabled()
  await id.fill('no/slash')
  await expect(dialog.getByText(/letters, digits, - and _\.$/)).toBeVisible()
  await id.fill('order-7')
  await expect(dialog.getByText('This ID is free.')).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])
  await dialog.getByRole('button', { name: 'Begin session' }).click()
  await page.waitForURL(/\/sessions\/order-7$/)
  await expect(page.getByText('Acme office is another system.')).toBeVisible()
  await expect(page.getByText(/curl 'http.*\/external\/sessions\/order-7\/messages\?token=/)).toBeVisible()

  const composer = page.getByRole('textbox', { name: /message/i })
  await composer.fill('two crates of lamp oil')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(transcript(page).getByText('Sent to Acme office')).toBeVisible()
  await expect.poll(() => got.length).toBe(1)

  const other = await context.newPage()
  await other.goto(`${server.url}/sessions/order-7`)
  await expect(transcript(other).getByText('Sent to Acme office')).toBeVisible()
  await expect(face(other)).toContainText('Sent to Acme office')

  expect((await reply('It is **on its way**. <img src=x onerror=alert(1)>')).status).toBe(200)
  for (const tab of [page, other]) {
    await expect(transcript(tab).locator('strong', { hasText: 'on its way' })).toBeVisible()
    await expect(transcript(tab).getByText('Sent to Acme office')).toHaveCount(0)
    await expect(tab.locator('img[src="x"]')).toHaveCount(0)
    await expect(face(tab)).toContainText('Ready')
  }
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])

  await page.goto(`${server.url}/attach?agentId=acme&sessionId=order-7`)
  await expect(page.getByText('There is a session of this ID: you attach to it.')).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])
  await page.getByRole('button', { name: 'Attach' }).click()
  await page.waitForURL(/\/sessions\/order-7$/)
})

test('000-21: a file that is chosen goes along with messages while its box is ticked, also after a reload', async ({
  page
}) => {
  await page.goto(`${server.url}/attach?agentId=acme&sessionId=order-21`)
  await page
    .getByRole('button', { name: 'Begin session' })
    .or(page.getByRole('button', { name: 'Attach' }))
    .click()
  await page.waitForURL(/\/sessions\/order-21$/)
  const box = page.getByRole('checkbox', { name: /with messages/ })
  await expect(box).toBeDisabled()
  await expect(box).toHaveAccessibleDescription(/Nothing is active/)
  const file = page.getByLabel('Active item', { exact: true })
  await file.setInputFiles({
    name: 'huge.txt',
    mimeType: 'text/plain',
    buffer: Buffer.alloc(300 * 1024, 'x')
  })
  await expect(page.getByText('huge.txt is larger than 256 KiB. Choose a smaller file.')).toBeVisible()
  await file.setInputFiles({
    name: 'order.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"crates": 2}')
  })
  await expect(box).toBeChecked()
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])

  await page.reload()
  await expect(box).toBeChecked()
  const send = async (text: string) => {
    const before = got.length
    await page.getByRole('textbox', { name: /^Message/ }).fill(text)
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect.poll(() => got.length).toBe(before + 1)
    return got.at(-1)
  }
  expect(await send('look at this')).toMatchObject({
    activeArtifact: { type: 'json', id: 'order.json' },
    activeArtifactContent: { crates: 2 }
  })
  await expect(transcript(page).getByText('with order.json')).toBeVisible()
  await box.uncheck()
  expect(await send('and nothing with this')).not.toHaveProperty('activeArtifact')
  await page.getByRole('button', { name: 'Let go' }).click()
  await expect(box).toBeDisabled()
})

test('000-21: a page of a wiki is looked for, chosen and sent along as it is then', async ({ page }) => {
  await page.goto(`${server.url}/attach?agentId=acme&sessionId=order-22`)
  await page
    .getByRole('button', { name: 'Begin session' })
    .or(page.getByRole('button', { name: 'Attach' }))
    .click()
  await page.waitForURL(/\/sessions\/order-22$/)
  const dialog = page.getByRole('dialog', { name: 'Send a wiki page along' })
  const open = () => page.getByRole('button', { name: 'Wiki page…' }).click()
  await open()
  await expect(dialog.getByText('This workspace has no wiki yet.')).toBeVisible()
  await page.keyboard.press('Escape')
  const write = (text: string) =>
    page.request.post(`${server.url}/api/wikis/recipes/import?file=a.json`, {
      headers: { origin: server.url },
      data: JSON.stringify([
        { title: 'Soup', text },
        { title: 'Bread', text: 'Flour.' }
      ])
    })
  await page.request.post(`${server.url}/api/wikis`, {
    headers: { origin: server.url },
    data: { name: 'recipes' }
  })
  expect((await write('Leek.')).ok()).toBe(true)

  await open()
  await expect(dialog.getByText('2 pages')).toBeVisible()
  await dialog.getByRole('searchbox').fill('soup')
  await expect(dialog.getByText('1 page', { exact: true })).toBeVisible()
  await looksWell(page)
  await dialog.getByRole('button', { name: 'Soup' }).click()
  const box = page.getByRole('checkbox', { name: 'Send Soup of the wiki recipes with messages' })
  await expect(box).toBeChecked()
  await page.reload()
  await expect(box).toBeChecked()
  expect((await write('Leek and salt.')).ok()).toBe(true)
  await page.getByRole('textbox', { name: /^Message/ }).fill('cook this')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect.poll(() => got.length).toBe(1)
  expect(got[0]).toMatchObject({
    activeArtifact: { type: 'wiki', id: 'recipes/Soup' },
    activeArtifactContent: { text: 'Leek and salt.' }
  })
  await expect(transcript(page).getByText('with Soup')).toBeVisible()
})

test('000-14: what another system does not accept is said in its place, survives a reload, and can be sent again', async ({
  page
}) => {
  status = 503
  await page.goto(`${server.url}/sessions/order-7`)
  await page.getByRole('textbox', { name: /message/i }).fill('anybody there?')
  await page.keyboard.press('ControlOrMeta+Enter')
  const trouble = transcript(page).getByText(/Acme office did not accept it: 503.* Your message is kept\./)
  await expect(trouble).toBeVisible()
  await expect(face(page)).toContainText('Acme office did not accept it: 503')
  const row = page.getByRole('list', { name: 'Sessions' }).getByRole('link', { name: /lamp oil/ })
  await expect(row).toContainText('Acme office did not accept it')
  await page.reload()
  await expect(trouble).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])

  status = 200
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(transcript(page).getByText('Sent to Acme office')).toBeVisible()
  await expect(trouble).toHaveCount(0)
  await expect
    .poll(() => got.map(({ message }) => message.text))
    .toEqual(['anybody there?', 'anybody there?'])
})
