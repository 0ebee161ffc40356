import { type Api, expect, type Page, test } from '#tests/browser/test.ts'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import type { ServerProcess } from '#tests/support/servers/start-server.ts'
import { changeRose, deleteWikis, importGarden, openExternalWikitext, openFoundTiddler } from './garden.ts'

type Context = { page: Page; api: Api; server: ServerProcess }

const states: Record<string, (context: Context) => Promise<void>> = {
  'no wiki': async ({ page, api }) => {
    await deleteWikis(api)
    await page.goto('/wikis')
  },
  'a list of wikis': async ({ page }) => {
    await importGarden(page)
    await page.goto('/wikis')
  },
  'a tiddler': async ({ page }) => {
    await page.goto(`/wikis/${await importGarden(page)}?tiddler=Rose`)
  },
  'changes by an agent': async ({ page, api }) => {
    const wiki = await importGarden(page)
    await changeRose(api, wiki)
    await page.goto(`/wikis/${wiki}?changes`)
    await expect(page.getByTestId('wiki-change')).toBeVisible()
  },
  'wikitext of an agent': async ({ page, api, server }) => {
    await openExternalWikitext(page, api, server)
    const message = page.getByTestId('wikitext-message')
    await expect(message.getByRole('heading')).toBeVisible()
    await message.getByTestId('show-source').click()
  },
  'a found tiddler': async ({ page, api }) => {
    await openFoundTiddler(page, api, await importGarden(page))
    await expect(page.getByTestId('wikitext-message').getByRole('heading')).toBeVisible()
  }
}

for (const [state, open] of Object.entries(states))
  test(`accessible, and no sideways scroll: ${state}`, async ({ page, api, server }) => {
    await open({ page, api, server })
    await expectAccessible(page)
  })
