import { expect, type Page, test } from '#tests/browser/test.ts'
import { startSession } from './start-session.ts'

/** Holds back the scripts of every page that opens, until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route(/\/_next\/static\/.*\.js/, async route => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

const alive = (page: Page) => page.locator('html[data-alive]')

test.describe("before a page's scripts have come", () => {
  test('a click on a button is held back, and happens once when the page is alive', async ({ page }) => {
    const release = await holdScripts(page)
    const opened = page.goto('/settings')
    const add = page.getByTestId('add-tool-rule')
    await add.click()
    await add.click()
    const keys = page.getByTestId('single-keys')
    await keys.click()
    await expect(page.getByTestId('tool-rule')).toHaveCount(0)
    await expect(alive(page)).toHaveCount(0)
    release()
    await opened
    await expect(page.getByTestId('tool-rule')).toHaveCount(1)
    await expect(keys).not.toBeChecked()
  })

  test('a link leads to its page', async ({ page }) => {
    const release = await holdScripts(page)
    const opened = page.goto('/settings').catch(() => undefined)
    await page.getByTestId('sidebar').locator('a[href="/agents"]').click({ noWaitAfter: true })
    await page.waitForURL(/\/agents$/, { waitUntil: 'commit' })
    await expect(page.getByTestId('create-agent')).toBeVisible()
    await expect(alive(page)).toHaveCount(0)
    release()
    await opened
    await expect(alive(page)).toHaveCount(1)
  })

  test('text in the message field is kept, after a draft that was there before, and can be sent', async ({
    page,
    api,
    id
  }) => {
    const sessionId = id('early')
    await startSession(api, sessionId)
    await page.goto(`/sessions/${sessionId}`)
    const composer = page.locator('[data-composer]')
    await composer.fill('say hello')
    const release = await holdScripts(page)
    const opened = page.reload()
    await expect(composer).toHaveValue('')
    await composer.pressSequentially('early bird')
    release()
    await opened
    await expect(composer).toHaveValue('say hello early bird')
    await composer.press('ControlOrMeta+Enter')
    await expect(page.getByTestId('transcript').getByText('hello early bird', { exact: true })).toBeVisible()
  })

  test('what is changed in the form of an agent is kept, and saved with its draft', async ({
    page,
    api,
    id
  }) => {
    const agentId = id('early')
    const tools = [{ name: 'web-fetch', approval: 'ask' }]
    await api('POST', '/api/agents', {
      agentId,
      displayName: 'Early',
      chat: { instructions: 'Be brief.', tools }
    })
    const release = await holdScripts(page)
    const opened = page.goto(`/agents/${agentId}`)
    await page.locator('[name="displayName"]').fill('Early bird')
    await page.locator('[name="instructions"]').fill('Be early.')
    await page.locator('[data-tool="web-fetch"]').getByRole('combobox').selectOption('auto')
    await page.locator('[data-tool="client-info"]').getByRole('checkbox').click()
    await page.locator('[data-tool="ask-question"]').getByRole('checkbox').click()
    await expect(alive(page)).toHaveCount(0)
    release()
    await opened
    await expect(page.locator('[name="instructions"]')).toHaveValue('Be early.')
    await page.getByTestId('save-draft').click()
    await expect(page.getByTestId('draft-notice')).toBeVisible()
    const { draft } = await api<{ draft: { config: object } }>('GET', `/api/agents/${agentId}/draft`)
    expect(draft.config).toMatchObject({
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
