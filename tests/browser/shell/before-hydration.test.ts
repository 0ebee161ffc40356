import { isDraftSaved } from '#tests/browser/agents/open-agent.ts'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { startSession } from './start-session.ts'

/** Delays the scripts of every page until the returned function is called. */
async function delayScripts(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route(/\/_next\/static\/.*\.js/, async route => {
    await released.promise
    await route.continue()
  })
  return released.resolve
}

const aliveMark = (page: Page) => page.locator('html[data-alive]')

test.describe('before the scripts of a page have loaded', () => {
  test('a click on a button is delayed and takes effect once when the page is interactive', async ({
    page
  }) => {
    const release = await delayScripts(page)
    const navigation = page.goto('/settings/tool-rules')
    const add = page.getByTestId('add-tool-rule')
    await add.click()
    await add.click()
    await expect(page.getByTestId('tool-rule')).toHaveCount(0)
    await expect(aliveMark(page)).toHaveCount(0)
    release()
    await navigation
    await expect(page.getByTestId('tool-rule')).toHaveCount(1)
  })

  test('a click on the button of a menu opens the menu', async ({ page }) => {
    const release = await delayScripts(page)
    const navigation = page.goto('/settings/profile')
    await page.getByTestId('user-menu').click()
    release()
    await navigation
    await expect(page.getByRole('menu')).toBeVisible()
  })

  test('a link opens its page', async ({ page }) => {
    const release = await delayScripts(page)
    const navigation = page.goto('/settings/profile').catch(() => undefined)
    await page.getByTestId('sidebar').locator('a[href="/agents"]').click({ noWaitAfter: true })
    await page.waitForURL(/\/agents$/, { waitUntil: 'commit' })
    await expect(page.getByTestId('create-agent')).toBeVisible()
    await expect(aliveMark(page)).toHaveCount(0)
    release()
    await navigation
    await expect(aliveMark(page)).toHaveCount(1)
  })

  test('text in the message field is kept after an earlier draft, and can be sent', async ({
    page,
    api,
    id
  }) => {
    const sessionId = id('early')
    await startSession(api, sessionId)
    await page.goto(`/sessions/${sessionId}`)
    const composer = page.locator('[data-composer]')
    await composer.fill('say hello')
    const release = await delayScripts(page)
    const navigation = page.reload()
    await expect(composer).toHaveValue('')
    await composer.pressSequentially('early bird')
    release()
    await navigation
    await expect(composer).toHaveValue('say hello early bird')
    await composer.press('ControlOrMeta+Enter')
    await expect(page.getByTestId('transcript').getByText('hello early bird', { exact: true })).toBeVisible()
  })

  test('changes in the form of an agent are kept and saved with its draft', async ({ page, api, id }) => {
    const agentId = id('early')
    const tools = [{ name: 'web-fetch', approval: 'ask' }]
    await api('POST', '/api/agents', {
      agentId,
      displayName: 'Early',
      chat: { instructions: 'Be brief.', tools }
    })
    const releaseFirst = await delayScripts(page)
    const open = (section: string) => page.goto(`/agents/${agentId}?section=${section}`)
    const first = open('setup')
    await page.locator('[name="displayName"]').fill('Early bird')
    await page.locator('[name="chat.instructions"]').fill('Be early.')
    await expect(aliveMark(page)).toHaveCount(0)
    releaseFirst()
    await first
    await isDraftSaved(page)
    const release = await delayScripts(page)
    const navigation = open('tools')
    await page.locator('[data-tool="web-fetch"]').getByRole('combobox').selectOption('auto')
    await page.getByTestId('tool-library').locator('summary').click()
    await page.locator('[data-tool="client-info"]').getByTestId('add-tool').click()
    await page.locator('[data-tool="ask-question"]').getByTestId('add-tool').click()
    await expect(aliveMark(page)).toHaveCount(0)
    release()
    await navigation
    await expect(page.locator('[name="chat.instructions"]')).toHaveValue('Be early.')
    const config = async () =>
      (await api<{ draft: { config: object } }>('GET', `/api/agents/${agentId}/draft`)).draft.config
    await expect.poll(config).toMatchObject({
      displayName: 'Early bird',
      chat: {
        instructions: 'Be early.',
        tools: expect.arrayContaining([
          { name: 'web-fetch', approval: 'auto' },
          expect.objectContaining({ name: 'client-info' }),
          expect.objectContaining({ name: 'ask-question' })
        ])
      }
    })
  })
})
