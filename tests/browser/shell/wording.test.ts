import { localLink } from '#lib/auth/sign-in/local-link.ts'
import { authSecret, expect, test } from '#tests/browser/test.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { startSession } from './start-session.ts'

test('labels of the frame of every page', async ({ page }) => {
  await page.goto('/settings/profile')
  await expect(page.getByTestId('sidebar')).toHaveAccessibleName('Main')
  await expect(page.getByTestId('open-new-session')).toHaveAccessibleName(/^New session/)
  await expect(page.getByTestId('search-sessions')).toHaveAccessibleName('Search sessions')
  await expect(page.getByTestId('single-keys')).toHaveAccessibleName(/^Single-key shortcuts/)
  await expect(page.getByTestId('sign-out')).toHaveText('Sign out')
  await page.keyboard.press('n')
  await expect(page.getByRole('dialog')).toHaveAccessibleName('New session')
  await expect(page.getByTestId('custom-id').locator('summary')).toHaveText('Custom ID')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('dialog')).toHaveAccessibleName('Find')
})

test('texts for creating and revoking keys', async ({ page, id }) => {
  await page.goto('/settings/keys')
  await expect(page.getByTestId('keys')).toHaveAccessibleName('API keys')
  await page.getByTestId('new-key').click()
  await expect(page.getByTestId('key-name')).toHaveAccessibleName('Key name')
  await expect(page.getByTestId('create-key')).toHaveText('Create key')
  await page.getByTestId('key-name').fill(id('key'))
  await page.getByTestId('create-key').click()
  const row = page.getByRole('listitem').filter({ hasText: id('key') })
  await expect(row.getByTestId('revoke-key')).toHaveText('Revoke…')
  await row.getByTestId('revoke-key').click()
  await expect(page.getByTestId('confirm')).toHaveText('Revoke key')
})

test('texts of a new agent and of a newer revision', async ({ page, api, id }) => {
  await page.goto('/agents/new')
  await expect(page.getByTestId('create-agent')).toHaveText('Create agent')
  const agentId = id('edited')
  await api('POST', '/api/agents', { agentId, displayName: 'Edited' })
  await page.goto(`/agents/${agentId}`)
  await page.getByTestId('model-settings').getByText('Model parameters').click()
  const options = page.locator('[name="chat.parameters.providerOptions"]')
  await options.fill('{[')
  await options.blur()
  await expect(options).toHaveAccessibleDescription(/must be a JSON object/i)
  await options.fill('')
  await page.locator('input[name="description"]').fill('mine')
  await api('PUT', `/api/agents/${agentId}`, { agentId, displayName: 'Theirs', revision: 1 })
  await page.getByTestId('review-draft').click()
  await expect(page.getByTestId('rebase-draft')).toHaveText('Keep my changes')
})

test('text for an unknown URL', async ({ page }) => {
  await page.goto('/sessions/never-was')
  await expect(page.getByTestId('lost')).toHaveText('Page not found')
})

test('a pending question is in the title, the dock and then in the transcript', async ({ page, api, id }) => {
  const sessionId = id('words')
  await startSession(api, sessionId)
  await api('POST', `/api/sessions/${sessionId}/messages`, { text: demo.askToChoose('tea', 'coffee') })
  await page.goto(`/sessions/${sessionId}`)
  await expect(page).toHaveTitle(/^\(1\) Waiting for you/)
  await expect(page.getByTestId('dock')).toHaveAccessibleName('1 pending request')
  await page.getByTestId('dock').getByRole('button', { name: 'coffee', exact: true }).click()
  await expect(page.getByTestId('transcript')).toHaveAccessibleName('Transcript')
  await expect(page.getByTestId('transcript').getByText('You answered “coffee”.')).toBeVisible()
  await expect(page.locator('[data-composer]')).toHaveAccessibleName(/message/i)
})

test.describe('a visitor', () => {
  test.use({ signedIn: false })

  test('learns how to get a link, and signs in with one click', async ({ page, server }) => {
    await page.goto('/sign-in')
    await expect(page.getByTestId('link-help')).toHaveText(/npm start printed.*npm run link/)
    await page.goto(localLink({ authSecret, url: server.url }))
    await expect(page.getByTestId('continue-as-local-owner')).toHaveText('Continue as local owner')
  })
})

test('a new session offers the starters of the README with these names', async ({ page, api, id }) => {
  const sessionId = id('first')
  await startSession(api, sessionId)
  await page.goto(`/sessions/${sessionId}`)
  await expect(page.getByTestId('demo-strip')).toHaveText('Demo modelConnect a model')
  await expect(page.getByTestId('agent-description')).toHaveText(/^Shows approvals/)
  const starter = page.getByTestId('starter').filter({ hasText: /Fetch a page/ })
  await expect(starter).toHaveAccessibleName(/^Fetch a page, with my approval/)
  await starter.click()
  await expect(page.locator('[data-hook="approve-call"]')).toHaveAccessibleName('Fetch page')
})
