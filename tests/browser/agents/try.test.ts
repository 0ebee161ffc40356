import { type Api, expect, type Page, test } from '#tests/browser/test.ts'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import { isDraftSaved, openAgent, openSection } from './open-agent.ts'

const trial = (page: Page) => page.getByTestId('trial')
const instructions = (page: Page) => page.locator('[name="chat.instructions"]')
const replies = (page: Page) => trial(page).locator('[data-hook="message-bubble"][data-role="assistant"]')

/** Returns the instructions that the trial session runs now. */
async function runs(page: Page, api: Api, agentId: string): Promise<string> {
  const sessionId = await trial(page).getAttribute('data-session')
  const { session } = await api<{ session: { agentRevision: number; trial?: true } }>(
    'GET',
    `/api/sessions/${sessionId}`
  )
  expect(session.trial).toBe(true)
  const { config } = await api<{ config: { chat: { instructions: string } } }>(
    'GET',
    `/api/agents/${agentId}/revisions/${session.agentRevision}`
  )
  return config.chat.instructions
}

test('a draft is tried beside its fields, each message runs it as it is then, and a reload shows the same session', async ({
  page,
  api,
  id
}) => {
  const agentId = id('agent')
  const created: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST' && /sessions(\/operations\/create)?$/.test(request.url()))
      created.push(request.url())
  })
  await openAgent({ page, api, agentId })
  await expect(trial(page)).toBeVisible()
  const composer = trial(page).locator('[data-composer]')
  await instructions(page).fill('Be kind.')
  await isDraftSaved(page)
  expect(created).toEqual([])
  // The message waits until the draft is saved.
  await composer.fill('say hello there')
  await composer.press('ControlOrMeta+Enter')
  await expect(replies(page)).toContainText('hello there')
  expect(created).toHaveLength(1)
  expect(await runs(page, api, agentId)).toBe('Be kind.')
  expect(await api('GET', `/api/agents/${agentId}`)).toMatchObject({ revision: 1 })

  await instructions(page).fill('Be kinder.')
  await instructions(page).press('ControlOrMeta+Enter')
  await expect.poll(() => runs(page, api, agentId)).toBe('Be kinder.')
  await expect(replies(page)).toHaveCount(1)
  await expect(instructions(page)).toBeFocused()

  const sessionId = await trial(page).getAttribute('data-session')
  await page.reload()
  await expect(trial(page)).toHaveAttribute('data-session', sessionId ?? '')
  await expect(replies(page)).toContainText('hello there')
  await trial(page).getByTestId('renew-trial').click()
  await expect(trial(page)).not.toHaveAttribute('data-session', sessionId ?? '')
  await expect(replies(page)).toHaveCount(0)
  // This changes the size of the window.
  await expectAccessible(page)
})

test('a message for a draft that is not valid stays in its field, and the error is shown', async ({
  page,
  api,
  id
}) => {
  await openAgent({ page, api, agentId: id('agent') })
  const composer = trial(page).locator('[data-composer]')
  await page.locator('[name="displayName"]').fill('')
  await composer.fill('say hello')
  await composer.press('ControlOrMeta+Enter')
  await expect(page.locator('[name="displayName"]')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByTestId('trial-fault')).not.toBeEmpty()
  await expect(composer).toHaveValue('say hello')
})

test('the size of the prompt is shown beside the instructions, with its text and its tools', async ({
  page,
  api,
  id
}) => {
  await openAgent({ page, api, agentId: id('agent'), config: { tools: [{ name: 'web-fetch' }] } })
  const size = page.getByTestId('prompt-size')
  await size.locator('summary').first().click()
  await expect(size).toContainText(/\d/)
  await expect(size).toContainText('Be brief.')
  await expect(size).toContainText('web-fetch')
  await instructions(page).fill('Be kind.')
  await isDraftSaved(page)
  await expect(size).toContainText('Be kind.')
})

test.describe('a small screen', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the draft is tried in a section of its own', async ({ page, api, id }) => {
    await openAgent({ page, api, agentId: id('agent') })
    await expect(trial(page)).toHaveCount(0)
    await openSection(page, 'try')
    await expect(trial(page)).toBeVisible()
    await expect(instructions(page)).toBeHidden()
    await expectAccessible(page)
    await openSection(page, 'setup')
    await expect(instructions(page)).toBeVisible()
  })
})
