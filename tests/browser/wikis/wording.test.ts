import { expect, type Page, test } from '#tests/browser/test.ts'
import { deleteWikis, file, importGarden } from './garden.ts'

type Row = [hook: string, text: string | RegExp]

/** Expects the first element of each hook to have this text. */
async function expectTexts(page: Page, rows: Row[]): Promise<void> {
  for (const [hook, text] of rows) await expect(page.getByTestId(hook).first(), hook).toHaveText(text)
}

test('the empty list of wikis explains wikis and how to start', async ({ page, api }) => {
  await deleteWikis(api)
  await page.goto('/wikis')
  await expect(page).toHaveTitle(/Wikis/)
  await expectTexts(page, [
    ['no-wikis', /^No wikis yetPages that your agents can search and cite\. New wikiChoose file$/],
    ['drop-file', /Drop or choose a file exported from TiddlyWiki/]
  ])
  await page.getByRole('button', { name: 'New wiki', exact: true }).click()
  const form = page.getByRole('form', { name: 'New wiki' })
  await expect(form.getByLabel('Wiki name')).toBeVisible()
  await expect(form.getByRole('button', { name: 'Create wiki' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByLabel('Choose file').setInputFiles(file('rose-garden.json'))
  await expect(form.getByRole('button', { name: 'Create and import' })).toBeVisible()
})

test('labels of the list of wikis, with the name of the wiki', async ({ page }) => {
  const wiki = await importGarden(page)
  await page.goto('/wikis')
  const row = page.getByRole('list', { name: 'Wikis' }).getByRole('listitem').filter({ hasText: wiki })
  await expect(row.getByTestId('wiki-facts')).toHaveText(/^63 pages · changed /)
  await expect(row.getByTestId('wiki-menu')).toHaveAccessibleName(`More actions for ${wiki}`)
  await row.getByTestId('wiki-menu').click()
  await expect(row.getByRole('menuitem')).toHaveText(['Export .json', 'Export .html', 'Delete wiki…'])
  await row.getByTestId('delete-wiki').click()
  await expect(page.getByRole('dialog').getByRole('button')).toHaveText(['Delete wiki', 'Cancel'])
})

test('texts of the page of a wiki and of an import', async ({ page }) => {
  const wiki = await importGarden(page)
  await page.goto(`/wikis/${wiki}`)
  const list = page.getByRole('navigation', { name: 'Pages' })
  await expect(list.getByLabel('Search this wiki')).toBeVisible()
  await expect(list.getByLabel('Tag')).toBeVisible()
  await expectTexts(page, [
    ['tiddler-count', '63 pages'],
    ['show-more', 'Show more']
  ])
  const field = page.getByLabel('Import a file')
  await field.setInputFiles(file('tulip.json', '[{"title":"Tulip","text":"Red."}]'))
  await expectTexts(page, [['import-notice', 'Imported 1 page from tulip.json.']])
  await field.setInputFiles(file('broken.json', '{'))
  await expectTexts(page, [['import-error', /^This is not a TiddlyWiki \.json file/]])
  await page.goto(`/wikis/${wiki}?tiddler=Rose`)
  await expectTexts(page, [['show-source', 'Show source']])
  await page.goto(`/wikis/${wiki}?tiddler=Nowhere`)
  await expectTexts(page, [['no-tiddler', 'There is no page “Nowhere” in this wiki.']])
})
