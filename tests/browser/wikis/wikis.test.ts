import { expect, key, test } from '#tests/browser/test.ts'
import {
  changeRose,
  deleteWikis,
  file,
  importGarden,
  openAnswer,
  openExternalWikitext,
  openFoundTiddler,
  uniqueName
} from './garden.ts'

test('001-20: an open tiddler shows a change by an agent, and stays open', async ({ page, api }) => {
  await page.clock.install()
  const wiki = await importGarden(page)
  await page.goto(`/wikis/${wiki}?tiddler=Rose`)
  const tiddler = page.getByRole('article')
  const text = await tiddler.innerText()
  await tiddler.getByTestId('show-source').click()
  await changeRose(api, wiki)
  await page.clock.runFor(5000)
  await expect(tiddler.getByTestId('show-source')).toHaveAttribute('aria-pressed', 'true')
  await tiddler.getByTestId('show-source').click()
  await expect.poll(() => tiddler.innerText()).not.toBe(text)
})

test('without wikis, a selected file opens the form with its name', async ({ page, api }) => {
  await deleteWikis(api)
  await page.goto('/wikis')
  const chooser = page.waitForEvent('filechooser')
  await page.getByTestId('drop-file').getByText('Choose file').click()
  await (await chooser).setFiles(file('rose-garden.json'))
  await expect(page.getByTestId('new-wiki').locator('[name=name]')).toHaveValue('rose-garden')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('drop-file').locator('input')).toBeFocused()
})

test('001-20: a wiki is created from a file, found in the list, exported, and deleted after a confirmation', async ({
  page,
  api
}) => {
  await deleteWikis(api)
  await page.goto('/settings/profile')
  await page.locator('nav a[href="/wikis"]').click()
  await expect(page.getByTestId('no-wikis')).toBeVisible()
  const name = uniqueName('roses')
  const field = page.getByTestId('drop-file').locator('input')
  await field.focus()
  await field.setInputFiles(file(`${name}.json`))
  const form = page.getByTestId('new-wiki')
  await expect(form.locator('input[required]')).toHaveValue(name)
  await form.locator('[type=submit]').press('Enter')
  await expect(form.getByTestId('import-notice')).toContainText(`${name}.json`)
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('open-new-wiki')).toBeFocused()
  const row = page.getByTestId('wikis').getByRole('listitem').filter({ hasText: name })
  await expect(row.getByTestId('wiki-facts')).toContainText('63')
  const download = page.waitForEvent('download')
  await row.getByTestId('wiki-menu').click()
  await row.getByTestId('export-html').click()
  expect((await download).suggestedFilename()).toBe(`${name}.html`)
  await row.getByTestId('wiki-menu').click()
  await row.getByTestId('delete-wiki').click()
  await page.getByRole('dialog').getByRole('button').last().click()
  await expect(row).toBeVisible()
  await row.getByTestId('wiki-menu').click()
  await row.getByTestId('delete-wiki').click()
  await page.getByRole('dialog').getByRole('button').first().click()
  await expect(row).toBeHidden()
})

test('001-20: a wiki is searched and read by keyboard, the URL contains the tiddler, and its content runs and loads nothing', async ({
  page
}) => {
  const wiki = await importGarden(page)
  const externalRequests: string[] = []
  page.on('request', request => {
    if (request.url().includes('evil.example')) externalRequests.push(request.url())
  })
  await page.goto(`/wikis/${wiki}`)
  const list = page.getByTestId('tiddlers')
  await expect(list.getByRole('link')).toHaveCount(50)
  await list.getByTestId('show-more').press('Enter')
  await expect(list.getByRole('link')).toHaveCount(63)
  await list.getByRole('combobox').selectOption('plants')
  await expect(list.getByRole('link')).toHaveCount(2)
  await list.getByRole('searchbox').fill('pricks')
  await expect(list.getByRole('link')).toHaveCount(1)
  await list.getByRole('link', { name: 'Rose' }).press('Enter')
  await page.waitForURL(/\?tiddler=Rose$/)
  const article = page.getByRole('article', { name: 'Rose' })
  await expect(article.getByRole('heading', { name: 'Thorns' })).toBeVisible()
  await expect(article.getByText('pricks', { exact: true })).toHaveCSS('font-weight', '700')
  await expect(article.locator('script, img')).toHaveCount(0)
  expect(await page.evaluate(() => 'evil' in window)).toBe(false)
  expect(externalRequests).toEqual([])
  await article.getByTestId('show-source').press('Enter')
  await expect(article).toContainText("It ''pricks''.")
  await article.getByTestId('show-source').press('Enter')
  await article.getByRole('link', { name: 'Oak' }).press('Enter')
  await page.waitForURL(/\?tiddler=Oak$/)
  await expect(page.getByRole('article', { name: 'Oak' })).toContainText('Old.')
  await page.goBack()
  await expect(page.getByRole('article', { name: 'Rose' })).toBeVisible()
  await page.goto(`/wikis/${wiki}?tiddler=Nowhere`)
  await expect(page.getByTestId('no-tiddler')).toContainText('Nowhere')
})

test('001-20: a file dropped on a wiki is imported into it', async ({ page }) => {
  const wiki = await importGarden(page)
  await page.goto(`/wikis/${wiki}`)
  const list = page.getByTestId('tiddlers')
  await list.getByTestId('show-more').click()
  await expect(list.getByRole('link')).toHaveCount(63)
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    data.items.add(new File(['title: Tulip\n\nRed.'], 'Tulip.tid'))
    return data
  })
  await page.getByTestId('drop-file').dispatchEvent('drop', { dataTransfer: transfer })
  await expect(page.getByTestId('import-notice')).toContainText('Tulip.tid')
  await expect(list.getByTestId('tiddler-count')).toContainText('64')
  await page.locator('input[type=file]').setInputFiles(file('broken.json', '{'))
  await expect(page.getByTestId('import-error')).not.toBeEmpty()
})

test('001-21: wikitext of an agent is rendered, its source is one click away, and none of it runs', async ({
  page,
  api,
  server
}) => {
  await openExternalWikitext(page, api, server)
  const message = page.getByTestId('wikitext-message')
  await expect(message.getByRole('heading', { name: 'Seeds' })).toBeVisible()
  await expect(message.getByRole('listitem')).toHaveText('round')
  await expect(message).not.toHaveAttribute('data-streaming')
  await message.getByTestId('show-source').press('Enter')
  await expect(message).toContainText("* ''round''")
  expect(await page.evaluate(() => 'evil' in window)).toBe(false)
})

test('001-21: a reply of an external agent that is wikitext as a whole is rendered', async ({
  page,
  api,
  server
}) => {
  await openExternalWikitext(page, api, server, true)
  const message = page.getByTestId('wikitext-message')
  await expect(message.getByRole('heading', { name: 'Seeds' })).toBeVisible()
  await expect(message.getByRole('listitem')).toHaveText('round')
})

test('001-21: a code block is rendered in the wiki that it names, and its links lead to the pages of tiddlers', async ({
  page,
  api
}) => {
  const wiki = await importGarden(page)
  await importGarden(page)
  await openAnswer(page, api, `Look:\n\n\`\`\`wikitext ${wiki}\n{{Oak}} See [[Rose]].\n\`\`\`\n`)
  const message = page.getByTestId('wikitext-message')
  await expect(message).toContainText('Old.')
  await message.getByRole('link', { name: 'Rose' }).click()
  await page.waitForURL(new RegExp(`/wikis/${wiki}\\?tiddler=Rose$`))
  await expect(page.getByRole('heading', { name: 'Thorns' })).toBeVisible()
})

test('001-21: terms of a definition list are bold, and their definitions are indented', async ({
  page,
  api
}) => {
  const wiki = await importGarden(page)
  await openAnswer(page, api, `\`\`\`wikitext ${wiki}\n; Rose\n: Has thorns.\n\`\`\`\n`)
  const message = page.getByTestId('wikitext-message')
  await expect(message.getByRole('term')).toHaveCSS('font-weight', '600')
  await expect(message.getByRole('definition')).toHaveCSS('padding-left', '20px')
})

test('001-21: a tiddler that wiki-search found is rendered in its row', async ({ page, api }) => {
  const wiki = await importGarden(page)
  await openFoundTiddler(page, api, wiki)
  const message = page.getByTestId('wikitext-message')
  await expect(message.getByRole('heading', { name: 'Thorns' })).toBeVisible()
  await expect(message).toHaveAccessibleName('Rose')
})

test('001-20: a tiddler that is selected far down in the list is in view', async ({ page }) => {
  await page.goto(`/wikis/${await importGarden(page)}`)
  const list = page.getByTestId('tiddlers')
  await expect(list.getByRole('link', { name: /^Weed [129]$|^Weed 10$/ })).toHaveText([
    'Weed 1',
    'Weed 2',
    'Weed 9',
    'Weed 10'
  ])
  await list.getByRole('link').nth(49).click()
  await page.waitForURL(/\?tiddler=/)
  await expect(page.getByRole('article').getByRole('heading')).toBeInViewport()
  await expect(list.getByRole('link').nth(49)).toBeInViewport()
})

test('001-20: broken links and endless transclusions of a wiki are listed with their pages', async ({
  page
}) => {
  await page.goto(`/wikis/${await importGarden(page)}`)
  await page.getByTestId('open-problems').press('Enter')
  const problems = page.getByTestId('wiki-problems').getByRole('listitem')
  await expect(problems).toHaveCount(2)
  await expect(problems.filter({ hasText: 'Nowhere' }).getByRole('link')).toHaveText('Rose')
  await problems.getByRole('link', { name: 'Loop' }).press('Enter')
  await page.waitForURL(/\?tiddler=Loop$/)
})

test('001-20: a session that is started from a wiki has its name in the message field', async ({ page }) => {
  const wiki = await importGarden(page)
  await page.goto(`/wikis/${wiki}`)
  await page.getByTestId('ask-agent').click()
  await page.getByTestId('create-session').press('Enter')
  await page.waitForURL(/\/sessions\//)
  await expect(page.locator('[data-composer]')).toHaveValue(new RegExp(wiki))
  await expect(page.locator('[data-composer]')).toBeFocused()
})

test('001-20: an editor finds the change of an agent on the page of the wiki, opens its call, and undoes it', async ({
  page,
  api
}) => {
  const wiki = await importGarden(page)
  const sessionId = await changeRose(api, wiki)
  await page.goto(`/wikis/${wiki}?tiddler=Rose`)
  await expect(page.getByRole('heading', { name: 'Petals' })).toBeVisible()
  await page.getByTestId('open-changes').press('Enter')
  const change = page.getByTestId('wiki-changes').getByTestId('wiki-change')
  await expect(change).toHaveCount(1)
  await expect(change.getByRole('link', { name: 'Gardener' })).toHaveAttribute(
    'href',
    new RegExp(`/sessions/${sessionId}\\?call=`)
  )
  await change.getByTestId('undo-change').press('Enter')
  await page.getByRole('dialog').getByRole('button').first().press('Enter')
  await expect(change.getByTestId('undone')).toBeVisible()
  await expect(change.getByTestId('undo-change')).toHaveCount(0)
  await change.getByRole('link', { name: 'Rose' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Thorns' })).toBeVisible()
})

test('001-20: an editor undoes a change in the row of its call, and learns if the tiddler has changed since', async ({
  page,
  api
}) => {
  const wiki = await importGarden(page)
  const sessionId = await changeRose(api, wiki)
  await page.goto(`/sessions/${sessionId}`)
  await page.locator('[data-row] [data-toggle]').press('Enter')
  const change = page.locator('[data-row]').getByTestId('wiki-change')
  const imports = (title: string) =>
    page.request.post(`/api/wikis/${wiki}/import?file=a.json`, {
      headers: { ...key, 'content-type': 'text/plain' },
      data: JSON.stringify([{ title, text: 'Mine.' }])
    })
  await imports('Rose')
  await change.getByTestId('undo-change').press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button').first().press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('Rose')
  await dialog.getByRole('button').last().press('Enter')
  await page.goto(`/sessions/${await changeRose(api, await importGarden(page))}`)
  await page.locator('[data-row] [data-toggle]').press('Enter')
  await change.getByTestId('undo-change').press('Enter')
  await dialog.getByRole('button').first().press('Enter')
  await expect(change.getByTestId('undone')).toBeVisible()
})

test('001-20: the card of a write says if the tiddler exists, and shows what is replaced', async ({
  page,
  api
}) => {
  const wiki = await importGarden(page)
  const agentId = uniqueName('asker')
  await api('POST', '/api/agents', {
    agentId,
    displayName: 'Asker',
    chat: { tools: [{ name: 'wiki-write' }] }
  })
  await api('POST', '/api/plugins/sessions/operations/create', { agentId, sessionId: agentId })
  await page.goto(`/sessions/${agentId}`)
  const asks = (input: object) =>
    api('POST', `/api/sessions/${agentId}/messages`, {
      text: `use wiki-write ${JSON.stringify({ wiki, ...input })}`,
      whenBusy: 'queue'
    })
  const card = page.getByTestId('approval')
  await asks({ title: 'Oak', text: 'New.', addTags: ['trees'] })
  await expect(page.getByRole('heading', { name: `Oak in ${wiki}` })).toBeVisible()
  await expect(card.getByRole('deletion')).toContainText('Old.')
  await expect(card.getByRole('insertion')).toContainText(['New.', 'trees'])
  await page.getByTestId('approve-call').press('Enter')
  await expect(card).toHaveCount(0)
  await asks({ title: 'Elm', text: 'Tall.' })
  await expect(card.getByRole('insertion')).toContainText('Tall.')
  await expect(card.getByRole('deletion')).toHaveCount(0)
})
