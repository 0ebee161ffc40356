import { expect, test } from '#tests/browser/test.ts'
import { isDraftSaved, openAgent } from './open-agent.ts'
import { tabTo } from './tab-to.ts'

test('a draft is tried, published and compared with the former revision by keyboard alone', async ({
  page,
  api,
  id
}) => {
  const { keyboard } = page
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  const trial = page.getByTestId('trial')
  const replies = page.locator('[data-hook="message-bubble"][data-role="assistant"]')
  const instructions = page.locator('[name="chat.instructions"]')

  await tabTo(page, instructions)
  await keyboard.press('ControlOrMeta+a')
  await keyboard.type('Be kind.')
  await isDraftSaved(page)
  await tabTo(page, trial.locator('[data-composer]'))
  await keyboard.type('say hello there')
  await keyboard.press('ControlOrMeta+Enter')
  await expect(replies).toContainText('hello there')

  await tabTo(page, page.getByTestId('review-draft'))
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByTestId('publish-revision'))
  await keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  expect(await api('GET', `/api/agents/${agentId}`)).toMatchObject({ revision: 2 })

  await tabTo(page, page.getByTestId('new-session'))
  await keyboard.press('Enter')
  await page.waitForURL(/\/sessions\/s_/)
  await expect(page.locator('[data-composer]')).toBeFocused()
  await keyboard.type('say hello again')
  await keyboard.press('ControlOrMeta+Enter')
  await expect(replies).toContainText('hello again')

  const actions = page.getByTestId('message-actions').first().getByRole('button')
  await tabTo(page, actions.first())
  for (let press = 0; press < 3; press++) await keyboard.press('ArrowRight')
  await expect(page.getByTestId('message-menu').first()).toBeFocused()
  await keyboard.press('Enter')
  await keyboard.press('ArrowDown')
  await expect(page.getByTestId('message-compare').first()).toBeFocused()
  await keyboard.press('Enter')
  const revision = page.getByTestId('run-revision')
  await tabTo(page, revision)
  await keyboard.press('ArrowDown')
  await expect(revision).toHaveValue('1')
  await tabTo(page, page.getByTestId('run-message'))
  await keyboard.press('Enter')
  const columns = page.getByTestId('compare-column')
  await expect(columns).toHaveCount(2)
  await expect(columns.nth(1).getByTestId('turn-state')).toHaveAttribute('data-state', 'done')
})
