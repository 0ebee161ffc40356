import { randomUUID } from 'node:crypto'
import { expect, key, type Page, test } from '#tests/browser/test.ts'
import { looksWell } from '#tests/support/looks-well.ts'

const garden = JSON.stringify([
  {
    title: 'Rose',
    text: "! Thorns\nIt ''pricks''. See [[Oak]] and [[Nowhere]]. <script>window.evil = 1</script>[img[https://evil.example/x.png]]",
    tags: 'plants',
    modified: '20260101000000000'
  },
  { title: 'Oak', text: 'Old.', tags: 'plants [[slow things]]' },
  { title: 'Loop', text: '{{Loop}}' },
  ...Array.from({ length: 60 }, (_, n) => ({ title: `Weed ${n}`, text: 'It grows.' }))
])
const file = (name = 'garden.json', text = garden) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(text)
})

const named = (word: string) => `${word}-${randomUUID().slice(0, 8)}`

/** A wiki of its own with the garden in it. */
async function planted(page: Page) {
  const wiki = named('garden')
  await page.request.post('/api/wikis', { headers: key, data: { name: wiki } })
  const brought = await page.request.post(`/api/wikis/${wiki}/import?file=a.json`, {
    headers: { ...key, 'content-type': 'text/plain' },
    data: garden
  })
  expect(brought.status()).toBe(200)
  return wiki
}

test('001-20: a wiki is made of a file, found in the list, exported, and deleted after a question', async ({
  page
}) => {
  await page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: 'Wikis' }).click()
  await page.waitForURL(/\/wikis$/)
  await expect(page.getByText('There is no wiki here yet.')).toBeVisible()
  await looksWell(page)
  const name = named('roses')
  await page.getByLabel('Begin with a file').setInputFiles(file(`${name}.json`))
  await expect(page.getByLabel('Name of a new wiki')).toHaveValue(name)
  await page.getByRole('button', { name: 'Create and import' }).press('Enter')
  await expect(page.getByText(`Imported 63 tiddlers of ${name}.json.`)).toBeVisible()
  const row = page.getByRole('list', { name: 'Wikis' }).getByRole('listitem').filter({ hasText: name })
  await expect(row).toContainText('63 tiddlers')
  await looksWell(page)
  const download = page.waitForEvent('download')
  await row.getByRole('link', { name: `Export .html of ${name}` }).click()
  expect((await download).suggestedFilename()).toBe(`${name}.html`)
  await row.getByRole('button', { name: `Delete ${name}…` }).click()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await expect(row).toBeVisible()
  await row.getByRole('button', { name: `Delete ${name}…` }).click()
  await page.getByRole('button', { name: 'Delete wiki' }).click()
  await expect(row).toBeHidden()
})

test('001-20: a wiki is searched and read by keyboard; the address names the tiddler, and nothing of it runs or loads', async ({
  page
}) => {
  const wiki = await planted(page)
  const elsewhere: string[] = []
  page.on('request', request => {
    if (request.url().includes('evil.example')) elsewhere.push(request.url())
  })
  await page.goto(`/wikis/${wiki}`)
  const list = page.getByRole('navigation', { name: 'Tiddlers' })
  await expect(list.getByRole('link')).toHaveCount(50)
  await list.getByRole('button', { name: 'More' }).press('Enter')
  await expect(list.getByRole('link')).toHaveCount(63)
  await list.getByLabel('Tag').selectOption('plants')
  await expect(list.getByRole('link')).toHaveCount(2)
  await list.getByLabel('Search this wiki').fill('pricks')
  await expect(list.getByRole('link')).toHaveCount(1)
  await list.getByRole('link', { name: 'Rose' }).press('Enter')
  await page.waitForURL(/\?tiddler=Rose$/)
  const article = page.getByRole('article', { name: 'Rose' })
  await expect(article.getByRole('heading', { name: 'Thorns' })).toBeVisible()
  await expect(article.getByText('pricks', { exact: true })).toHaveCSS('font-weight', '700')
  await expect(article.locator('script, img')).toHaveCount(0)
  await looksWell(page)
  expect(await page.evaluate(() => 'evil' in window)).toBe(false)
  expect(elsewhere).toEqual([])
  await article.getByRole('button', { name: 'Source' }).press('Enter')
  await expect(article).toContainText("It ''pricks''.")
  await article.getByRole('button', { name: 'Source' }).press('Enter')
  await article.getByRole('link', { name: 'Oak' }).press('Enter')
  await page.waitForURL(/\?tiddler=Oak$/)
  await expect(page.getByRole('article', { name: 'Oak' })).toContainText('Old.')
  await page.goBack()
  await expect(page.getByRole('article', { name: 'Rose' })).toBeVisible()
  await page.goto(`/wikis/${wiki}?tiddler=Nowhere`)
  await expect(page.getByText('There is no tiddler “Nowhere” in this wiki.')).toBeVisible()
})

test('001-20: a file that is dropped on a wiki is imported into it', async ({ page }) => {
  const wiki = await planted(page)
  await page.goto(`/wikis/${wiki}`)
  await page.getByRole('button', { name: 'More' }).click()
  await expect(page.getByRole('navigation', { name: 'Tiddlers' }).getByRole('link')).toHaveCount(63)
  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    data.items.add(new File(['title: Tulip\n\nRed.'], 'Tulip.tid'))
    return data
  })
  await page.getByText('Import a file').dispatchEvent('drop', { dataTransfer: dropped })
  await expect(page.getByText('Imported 1 tiddler of Tulip.tid.')).toBeVisible()
  await expect(page.getByText('64 tiddlers')).toBeVisible()
  await page.getByLabel('Import a file').setInputFiles(file('broken.json', '{'))
  await expect(
    page.getByRole('alert').filter({ hasText: 'This is no .json file of TiddlyWiki' })
  ).toBeVisible()
})

/** A session of an agent that has the wiki tools, and its page. */
async function opened(page: Page) {
  const agentId = named('reader')
  const tools = [{ name: 'wiki-search' }]
  const config = { agentId, displayName: 'Reader', chat: { tools } }
  expect((await page.request.post('/api/agents', { headers: key, data: config })).status()).toBe(201)
  await page.request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId, sessionId: agentId }
  })
  await page.goto(`/sessions/${agentId}`)
  await expect(page.getByLabel('Message to Reader')).toBeVisible()
  const says = (text: string) =>
    page.request.post(`/api/sessions/${agentId}/messages`, {
      headers: key,
      data: { text, whenBusy: 'queue' }
    })
  return { says }
}

test('001-21: wikitext in what an agent says is shown rendered, its source one click away, and nothing of it runs', async ({
  page
}) => {
  const agentId = named('writer')
  const external = {
    inputUrl: 'http://127.0.0.1:9/in',
    callbackBaseUrl: test.info().project.use.baseURL,
    retries: 0
  }
  const config = { agentId, displayName: 'Writer', type: 'external', external }
  expect((await page.request.post('/api/agents', { headers: key, data: config })).status()).toBe(201)
  await page.request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId, sessionId: agentId }
  })
  await page.goto(`/sessions/${agentId}`)
  await expect(page.getByLabel('Message to Writer')).toBeVisible()
  const { callbackUrl } = await (
    await page.request.get(`/api/sessions/${agentId}/callback`, { headers: key })
  ).json()
  await page.request.post(callbackUrl, {
    headers: { 'content-type': 'text/plain' },
    data: "What grows:\n\n```wikitext\n! Seeds\n* ''round''\n<script>window.evil = 1</script>\n```\n\nThat is all."
  })
  const message = page.getByTestId('wikitext-message')
  await expect(message.getByRole('heading', { name: 'Seeds' })).toBeVisible()
  await expect(message.getByRole('listitem')).toHaveText('round')
  await expect(message).not.toHaveAttribute('data-streaming')
  await message.getByRole('button', { name: 'Source' }).press('Enter')
  await expect(message).toContainText("* ''round''")
  expect(await page.evaluate(() => 'evil' in window)).toBe(false)
  await looksWell(page)
})

test('001-21: what wiki-search gave of a tiddler is shown rendered in its row', async ({ page }) => {
  const wiki = await planted(page)
  const { says } = await opened(page)
  await says(`use wiki-search ${JSON.stringify({ wiki, title: 'Rose' })}`)
  await page.getByRole('button', { name: /^wiki-search/ }).press('Enter')
  const message = page.getByTestId('wikitext-message')
  await expect(message.getByRole('heading', { name: 'Thorns' })).toBeVisible()
  await expect(message).toHaveAccessibleName('Rose')
  await looksWell(page)
})
