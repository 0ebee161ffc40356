import { expect, type Page, test } from '#tests/browser/test.ts'
import { expectAccessibleNow } from '#tests/support/browser/expect-accessible.ts'
import { openAgent, openSection, startSession } from './open-agent.ts'
import { tabTo } from './tab-to.ts'

const rows = (page: Page) => page.getByTestId('test-row')

/** Runs the messages, and waits until each has its results. */
async function isOver(page: Page): Promise<void> {
  for (const row of await rows(page).all())
    await expect(row).toHaveAttribute('data-over', /.*/, { timeout: 30_000 })
}

test('a set runs on the published version and the draft, and shows changed messages first with their words', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  const config = { agentId, displayName: 'Porter' }
  await api('POST', '/api/agents', config)
  const chat = { tools: [{ name: 'client-info' }] }
  await api('PUT', `/api/agents/${agentId}/draft`, { config: { ...config, chat }, base: 1 })
  await page.goto(`/agents/${agentId}/tests`)
  await expect(page).toHaveURL(/section=tests/)
  await page.getByTestId('new-test-set').click()
  const form = page.getByTestId('add-test-message')
  for (const [n, text] of ['say hello', 'use nothing {}'].entries()) {
    await form.getByRole('textbox').fill(text)
    await form.locator('[type=submit]').click()
    await expect(rows(page)).toHaveCount(n + 1)
  }
  await expectAccessibleNow(page)
  await page.getByTestId('run-test-set').locator('[type=submit]').click()
  await isOver(page)
  for (const reload of [false, true]) {
    if (reload) await page.reload()
    await expect(rows(page)).toHaveCount(2)
    await expect(rows(page).first()).toContainText('use nothing {}')
    await expect(rows(page).first()).toHaveAttribute('data-changed')
    await expect(page.locator('[data-hook=test-row][data-changed]')).toHaveCount(1)
  }
  await rows(page).first().getByRole('button').first().click()
  const answers = page.getByTestId('answer-diff')
  await expect(answers.first().locator('ins')).toHaveCount(0)
  await expect(answers.last().locator('del')).toHaveCount(0)
  await expect(answers.last().locator('ins').first()).toBeVisible()
  await expectAccessibleNow(page)
  await page.getByTestId('open-comparison').click()
  await expect(page.getByTestId('compare-column')).toHaveCount(2)
})

test('a set is made of recent sessions, renamed, run and deleted by keyboard alone', async ({
  page,
  api,
  id
}) => {
  const { keyboard } = page
  const agentId = id('agent')
  await openAgent({ page, api, agentId })
  for (const name of ['one', 'two']) {
    await startSession(api, agentId, id(name))
    await api('POST', `/api/sessions/${id(name)}/messages`, { text: `say ${name}` })
  }
  await openSection(page, 'tests')
  await tabTo(page, page.getByTestId('set-from-sessions'))
  await keyboard.press('Enter')
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByTestId('add-test-message').getByRole('textbox')).toBeFocused()
  await tabTo(page, page.getByTestId('test-set-name'))
  await keyboard.press('ControlOrMeta+a')
  await keyboard.type('Basics')
  await keyboard.press('Tab')
  await expect(page.getByTestId('test-sets')).toContainText('Basics')
  await tabTo(page, page.getByTestId('run-test-set').locator('[type=submit]'))
  await keyboard.press('Enter')
  await isOver(page)
  await tabTo(page, rows(page).first().getByRole('button').first())
  await keyboard.press('Enter')
  await tabTo(page, page.getByTestId('remove-message'))
  await keyboard.press('Enter')
  await expect(page.getByTestId('remove-message')).toHaveCount(0)
  await expect(page.getByTestId('add-test-message').getByRole('textbox')).toBeFocused()
  const [{ messages }] = (
    (await api('GET', `/api/agents/${agentId}/test-sets`)) as {
      testSets: [{ messages: string[] }]
    }
  ).testSets
  expect(messages).toHaveLength(1)
  await tabTo(page, page.getByTestId('delete-test-set'))
  await keyboard.press('Enter')
  await tabTo(page, page.getByRole('dialog').getByTestId('confirm'))
  await keyboard.press('Enter')
  await expect(page.getByTestId('set-from-sessions')).toBeVisible()
  await expect(page.getByTestId('new-test-set')).toBeFocused()
})
