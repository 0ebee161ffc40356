import type { Page } from '@playwright/test'
import { stateName, stateWords } from '#components/session/inspector/state-words.ts'
import { openSession } from './open.ts'
import { rounds, showPrompts } from './stored-prompts.ts'
import { expect, test } from './test.ts'

test.use({ viewport: { width: 1280, height: 860 } })

const tab = (page: Page) => page.getByTestId('inspector')
const step = (page: Page) => tab(page).getByTestId('prompt-round')
const messages = (page: Page) => tab(page).getByTestId('prompt-messages')
/** Returns the parts with this name. Each expands to a region. */
const part = (page: Page, name: string) => tab(page).locator(`[data-part="${name}"]`)
const toggle = (page: Page, name: string) => part(page, name).first().locator('[aria-expanded]')

test('001-10: the tab shows the newest step: how its prompt was built, and all its content', async ({
  page,
  statesUrl
}) => {
  const requests = await showPrompts(page, statesUrl)
  await expect(step(page)).toHaveAttribute('data-prompt', '13')
  // The trace, which opens first, reads the list.
  expect(requests.filter(request => request !== '?limit=200')).toEqual(['?limit=1', '13'])
  const { states } = rounds[2]!
  await expect(tab(page).getByTestId('prompt-states').getByRole('listitem')).toHaveText(
    states.map((state, n) => `${stateName(state)} ${stateWords(state, states[n - 1])}`)
  )
  await expect(toggle(page, 'instructions')).toHaveAttribute('aria-expanded', 'false')
  await toggle(page, 'instructions').click()
  await expect(part(page, 'instructions').getByRole('region')).toContainText('wait.')
  await expect(part(page, 'web-fetch')).toHaveCount(0)
  await tab(page).getByTestId('prompt-tools').click()
  await toggle(page, 'web-fetch').click()
  await expect(part(page, 'web-fetch').getByRole('region')).toContainText('"url"')
})

test('001-10: new messages of a step are marked and expanded, and the rest is collapsed and can be expanded', async ({
  page,
  statesUrl
}) => {
  await showPrompts(page, statesUrl)
  await expect(messages(page).getByRole('listitem')).toHaveCount(3)
  const newMessages = messages(page).locator('[data-new]')
  await expect(newMessages).toHaveCount(2)
  await expect(newMessages.nth(0)).toContainText('I have read it.')
  await expect(newMessages.nth(1).getByRole('region')).toContainText('And now?')
  await messages(page).getByTestId('show-same-messages').click()
  await expect(messages(page).getByRole('listitem')).toHaveCount(6)
  await toggle(page, 'tool').click()
  await expect(part(page, 'tool').getByRole('region')).toContainText('A page about <b>crews</b>.')
})

test('001-10: arrow keys and buttons move between steps and stop at both ends', async ({
  page,
  statesUrl
}) => {
  await showPrompts(page, statesUrl)
  const expectShown = (promptId: number) =>
    expect(step(page)).toHaveAttribute('data-prompt', String(promptId))
  await expectShown(13)
  const previous = tab(page).getByTestId('previous-prompt')
  const next = tab(page).getByTestId('next-prompt')
  await expect(next).toHaveAttribute('aria-disabled', 'true')
  await previous.click()
  await expectShown(12)
  await page.keyboard.press('ArrowLeft')
  await expectShown(11)
  await expect(previous).toHaveAttribute('aria-disabled', 'true')
  await expect(previous).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  await expectShown(12)
  // In a scrollable region, the arrow keys scroll.
  await part(page, 'tool').getByRole('region').focus()
  await page.keyboard.press('ArrowRight')
  await next.focus()
  await expectShown(12)
  await page.keyboard.press('Enter')
  await expectShown(13)
  await page.keyboard.press('ArrowLeft')
  await tab(page).getByTestId('newest-prompt').click()
  await expectShown(13)
  await expect(tab(page).getByTestId('newest-prompt')).toHaveCount(0)
})

test('001-10: a prompt is copied as JSON', async ({ page, context, statesUrl }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await showPrompts(page, statesUrl)
  await tab(page).getByTestId('copy-prompt').click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toBe(JSON.stringify(rounds[2], null, 2))
})

test('001-10: the tab shows that no prompts are stored yet, or why a prompt cannot be loaded', async ({
  page,
  statesUrl
}) => {
  await showPrompts(page, statesUrl, [])
  await expect(tab(page).getByTestId('no-prompt')).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await showPrompts(page, statesUrl, [], 'It was removed.')
  await expect(tab(page).getByTestId('prompt-fault')).toContainText('It was removed.')
})

test('001-10: a step in the trace has the tokens of its prompt, and links to it', async ({
  page,
  statesUrl
}) => {
  await showPrompts(page, statesUrl)
  await tab(page).getByTestId('tab-trace').click()
  const row = tab(page).locator('[data-trace="msg_3#0"]')
  await row.click()
  await expect(tab(page)).toContainText('1,202 tokens')
  await expect(tab(page)).toContainText('$0.0042')
  await tab(page).getByTestId('show-prompt').click()
  await expect(tab(page).getByTestId('tab-prompt')).toHaveAttribute('aria-selected', 'true')
  await expect(step(page)).toHaveAttribute('data-prompt', '13')
})

test('001-10: a failed step shows its error above its prompt', async ({ page, statesUrl }) => {
  const error = { code: 'BAD_REQUEST', message: 'The provider rejected the request.' }
  await showPrompts(page, statesUrl, [...rounds.slice(0, 2), { ...rounds[2]!, tokens: 0, error }])
  await expect(tab(page).getByTestId('prompt-error')).toContainText(error.message)
  await expect(messages(page).getByRole('listitem')).toHaveCount(3)
})

test('001-10: the tab previews the next prompt with the text in the message field', async ({
  page,
  api,
  id
}) => {
  await openSession(page, api, { agentId: 'guide', sessionId: id('preview') })
  await page.locator('[data-composer]').fill('Is this in the prompt?')
  await page.getByTestId('toggle-inspector').click()
  await page.getByTestId('tab-prompt').click()
  await tab(page).getByTestId('preview-prompt').click()
  await expect(messages(page).getByRole('listitem').last()).toContainText('Is this in the prompt?')
  await page.locator('[data-composer]').fill('Another text.')
  await tab(page).getByTestId('refresh-preview').click()
  await expect(messages(page).getByRole('listitem').last()).toContainText('Another text.')
  await expect(page.locator('[data-composer]')).toHaveValue('Another text.')
  await tab(page).getByTestId('close-preview').click()
  await expect(tab(page).getByTestId('no-prompt')).toBeVisible()
})
