import { expect, type Page, test } from '#tests/browser/test.ts'
import { deleteWikis, file, planted } from './garden.ts'

type Row = [hook: string, text: string | RegExp]

/** The name or the text of each hook, in the order of the page. */
async function reads(page: Page, rows: Row[]): Promise<void> {
  for (const [hook, text] of rows) await expect(page.getByTestId(hook).first(), hook).toHaveText(text)
}

test('the empty list of wikis says what a wiki is and how to begin', async ({ page, api }) => {
  await deleteWikis(api)
  await page.goto('/wikis')
  await expect(page).toHaveTitle(/Wikis/)
  await reads(page, [['no-wikis', /^No wikis yet\. A wiki is a TiddlyWiki/]])
  const form = page.getByRole('form', { name: 'New wiki' })
  await expect(form.getByLabel('Wiki name')).toBeVisible()
  await expect(form.getByRole('button', { name: 'Create wiki' })).toBeVisible()
  await form.getByLabel('Start with a file').setInputFiles(file('rose-garden.json'))
  await expect(form.getByRole('button', { name: 'Create and import' })).toBeVisible()
})

test('the list of wikis names its controls by their wiki', async ({ page }) => {
  const wiki = await planted(page)
  await page.goto('/wikis')
  const row = page.getByRole('list', { name: 'Wikis' }).getByRole('listitem').filter({ hasText: wiki })
  await expect(row.getByTestId('wiki-facts')).toHaveText(/^63 tiddlers · changed /)
  await expect(row.getByTestId('export-json')).toHaveAccessibleName(`Export .json of ${wiki}`)
  await expect(row.getByTestId('export-html')).toHaveAccessibleName(`Export .html of ${wiki}`)
  await expect(row.getByTestId('delete-wiki')).toHaveAccessibleName(`Delete ${wiki}…`)
  await row.getByTestId('delete-wiki').click()
  await expect(page.getByRole('dialog').getByRole('button')).toHaveText(['Delete wiki', 'Cancel'])
})

test('the page of a wiki names its list and says how an import went', async ({ page }) => {
  const wiki = await planted(page)
  await page.goto(`/wikis/${wiki}`)
  const list = page.getByRole('navigation', { name: 'Tiddlers' })
  await expect(list.getByLabel('Search this wiki')).toBeVisible()
  await expect(list.getByLabel('Tag')).toBeVisible()
  await reads(page, [
    ['tiddler-count', '63 tiddlers'],
    ['show-more', 'Show more']
  ])
  const field = page.getByLabel('Import a file')
  await field.setInputFiles(file('tulip.json', '[{"title":"Tulip","text":"Red."}]'))
  await reads(page, [['import-notice', 'Imported 1 tiddler from tulip.json.']])
  await field.setInputFiles(file('broken.json', '{'))
  await reads(page, [['import-error', /^This is not a TiddlyWiki \.json file/]])
  await page.goto(`/wikis/${wiki}?tiddler=Rose`)
  await reads(page, [['show-source', 'Show source']])
  await page.goto(`/wikis/${wiki}?tiddler=Nowhere`)
  await reads(page, [['no-tiddler', 'There is no tiddler “Nowhere” in this wiki.']])
})
