import { wordsOf } from '#components/session/wording/tool-words.ts'
import { expect, test } from '#tests/browser/test.ts'
import { startSession } from './start-session.ts'

test('a slash in an empty message field lists the tools, which the keyboard filters and inserts', async ({
  page,
  api,
  id
}) => {
  await startSession(page, api, id('slash'))
  const field = page.locator('[data-composer]')
  const list = page.getByTestId('inserts')
  await field.press('/')
  await expect(list).toBeVisible()
  await field.pressSequentially('web-f')
  await expect(page.getByTestId('insert')).toHaveCount(1)
  await expect(page.getByTestId('insert')).toContainText(wordsOf({ name: 'web-fetch', description: '' }).line)
  const active = await field.getAttribute('aria-activedescendant')
  await expect(page.getByTestId('insert')).toHaveId(active ?? '')
  await field.press('Escape')
  await expect(list).toHaveCount(0)
  await expect(field).toBeFocused()
  await field.fill('/')
  await field.pressSequentially('web-f')
  await expect(page.getByTestId('insert')).toHaveCount(1)
  await field.press('Enter')
  await expect(field).toHaveValue('use web-fetch ')
  await expect(list).toHaveCount(0)
  await expect(field).toBeFocused()
})

test('an @ lists the pages of the wikis that the agent can read', async ({ page, api, id }) => {
  const wiki = id('notes')
  await api('POST', '/api/wikis', { name: wiki })
  await api('POST', `/api/wikis/${wiki}/import?file=a.json`, [{ title: 'Tea list', text: 'Assam' }])
  const agentId = id('reader')
  const tools = [{ name: 'wiki-search', wikis: [wiki] }]
  await api('POST', '/api/agents', { agentId, displayName: 'Reader', chat: { tools } })
  await startSession(page, api, agentId, agentId)
  const field = page.locator('[data-composer]')
  await field.pressSequentially('Read @tea')
  await page.getByTestId('insert').click()
  await expect(field).toHaveValue(`Read [[Tea list]] in the wiki ${wiki} `)
})
