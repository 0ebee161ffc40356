import { stateName, stateWords } from '#components/session/inspector/state-words.ts'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { rounds, showPrompts } from './kept-prompts.ts'

test.use({ viewport: { width: 1280, height: 860 } })

const tab = (page: Page) => page.getByTestId('inspector')
const round = (page: Page) => tab(page).getByTestId('prompt-round')
const messages = (page: Page) => tab(page).getByTestId('prompt-messages')
/** The parts of this name; one of them opens to a region. */
const part = (page: Page, name: string) => tab(page).locator(`[data-part="${name}"]`)
const toggle = (page: Page, name: string) => part(page, name).first().locator('[aria-expanded]')

test('001-10: the tab shows the newest round: how its prompt was put together, and all of it', async ({
  page,
  statesUrl
}) => {
  const asked = await showPrompts(page, statesUrl)
  await expect(round(page)).toHaveAttribute('data-prompt', '13')
  expect(asked).toEqual(['?limit=1', '13'])
  const { states } = rounds[2]!
  await expect(tab(page).getByTestId('prompt-states').getByRole('listitem')).toHaveText(
    states.map((state, n) => `${stateName(state)} ${stateWords(state, states[n - 1])}`)
  )
  await expect(toggle(page, 'instructions')).toHaveAttribute('aria-expanded', 'false')
  await toggle(page, 'instructions').click()
  await expect(part(page, 'instructions').getByRole('region')).toContainText('wait.')
  await toggle(page, 'web-fetch').click()
  await expect(part(page, 'web-fetch').getByRole('region')).toContainText('"url"')
})

test('001-10: what is new in a round is marked and open; the rest is folded, and unfolds', async ({
  page,
  statesUrl
}) => {
  await showPrompts(page, statesUrl)
  await expect(messages(page).getByRole('listitem')).toHaveCount(3)
  const fresh = messages(page).locator('[data-new]')
  await expect(fresh).toHaveCount(2)
  await expect(fresh.nth(0)).toContainText('I have read it.')
  await expect(fresh.nth(1).getByRole('region')).toContainText('And now?')
  await messages(page).getByTestId('show-same-messages').click()
  await expect(messages(page).getByRole('listitem')).toHaveCount(6)
  await toggle(page, 'tool').click()
  await expect(part(page, 'tool').getByRole('region')).toContainText('A page about <b>crews</b>.')
})

test('001-10: arrows and buttons step from round to round, and stop at the ends', async ({
  page,
  statesUrl
}) => {
  await showPrompts(page, statesUrl)
  const shows = (promptId: number) => expect(round(page)).toHaveAttribute('data-prompt', String(promptId))
  await shows(13)
  const back = tab(page).getByTestId('previous-prompt')
  const on = tab(page).getByTestId('next-prompt')
  await expect(on).toHaveAttribute('aria-disabled', 'true')
  await back.click()
  await shows(12)
  await page.keyboard.press('ArrowLeft')
  await shows(11)
  await expect(back).toHaveAttribute('aria-disabled', 'true')
  await expect(back).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  await shows(12)
  // A box that scrolls has the arrows to itself.
  await part(page, 'tool').getByRole('region').focus()
  await page.keyboard.press('ArrowRight')
  await on.focus()
  await shows(12)
  await page.keyboard.press('Enter')
  await shows(13)
  await page.keyboard.press('ArrowLeft')
  await tab(page).getByTestId('newest-prompt').click()
  await shows(13)
  await expect(tab(page).getByTestId('newest-prompt')).toHaveCount(0)
})

test('001-10: a prompt copies as JSON', async ({ page, context, statesUrl }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await showPrompts(page, statesUrl)
  await tab(page).getByTestId('copy-prompt').click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toBe(JSON.stringify(rounds[2], null, 2))
})

test('001-10: the tab says when nothing is kept yet, and why something cannot be read', async ({
  page,
  statesUrl
}) => {
  await showPrompts(page, statesUrl, [])
  await expect(tab(page).getByTestId('no-prompt')).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await showPrompts(page, statesUrl, [], 'It was removed.')
  await expect(tab(page).getByTestId('prompt-fault')).toContainText('It was removed.')
})

test('001-10: a bar of the model in the timeline leads to the prompt of its round', async ({
  page,
  statesUrl
}) => {
  const asked = await showPrompts(page, statesUrl)
  await tab(page).getByTestId('tab-timeline').click()
  const bar = tab(page).locator('[data-bar^="msg_3#"]')
  await expect(tab(page).getByTestId('show-prompt')).toHaveCount(0)
  await bar.focus()
  asked.length = 0
  await tab(page).getByTestId('show-prompt').click()
  await expect(tab(page).getByTestId('tab-prompt')).toHaveAttribute('aria-selected', 'true')
  await expect(round(page)).toHaveAttribute('data-prompt', '13')
  expect(asked).toEqual(['?limit=200&messageId=msg_3', '13'])
})
