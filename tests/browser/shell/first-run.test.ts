import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Api, expect, type Page, test } from '#tests/browser/test.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { startServer } from '#tests/support/servers/start-server.ts'
import { startSession } from './start-session.ts'

const approveButton = '[data-hook="approve-call"]'

test.describe('a new server', () => {
  // A request in progress fails and is logged when the server ends.
  test.use({ allowedError: /CONNECTION_ENDED|"status":503/ })
  test.use({ signedIn: false })

  /** Follows the first screen of the README as a new user does. */
  test('a turn waits for the user, survives a kill of the server and continues, and its row shows the waiting time (002-15)', async ({
    page
  }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'waystation-first-run-'))
    let server = await startServer({ WAYSTATION_DATA_DIR: dataDir })
    const port = new URL(server.url).port
    try {
      await page.goto(server.link)
      await page.getByTestId('continue-as-local-owner').click()
      await expect(page).toHaveURL(/\/sessions\/welcome$/)
      const step = (id: string) => page.locator(`[data-step="${id}"]`)
      await expect(page.locator('[data-step]')).toHaveCount(4)
      await expect(page.locator('[data-step][data-done=true]')).toHaveCount(0)
      await expect(page.getByTestId('demo-strip').getByRole('link')).toHaveAttribute(
        'href',
        '/settings/models'
      )
      await expect(page.locator('[data-composer]')).toBeFocused()

      await page
        .getByTestId('starter')
        .filter({ hasText: /Fetch a page/ })
        .click()
      const dock = page.getByTestId('dock')
      await expect(dock.locator(approveButton)).toBeVisible()
      await expect(page).toHaveTitle(/\(1\)/)
      const before = await openCalls(page, 'welcome', server.url)
      expect(before).toHaveLength(1)
      await expect(step('park')).toHaveAttribute('data-done', 'true')

      server.process.kill('SIGKILL')
      await server.exited
      server = await startServer({ WAYSTATION_DATA_DIR: dataDir, PORT: port })
      await page.reload()
      await expect(dock.locator(approveButton)).toBeVisible()
      await expect(dock.getByTestId('dock-hint')).toHaveText(/\(\d+ s\)/)
      await expect(step('restart')).toHaveAttribute('data-done', 'true')
      await expect(step('answer')).toHaveAttribute('data-done', 'false')
      expect(await openCalls(page, 'welcome', server.url)).toEqual(before)

      const replies = page.locator('[data-hook="message-bubble"][data-role="assistant"]')
      const earlier = await replies.count()
      await page.locator('[data-composer]').fill('hello')
      await page.keyboard.press('ControlOrMeta+Enter')
      await expect.poll(() => replies.count()).toBeGreaterThan(earlier)
      await expect(replies.last()).toContainText('fetch')
      await expect(dock.locator(approveButton)).toBeVisible()

      const count = await replies.count()
      await dock.locator(approveButton).click()
      await expect.poll(() => replies.count()).toBeGreaterThan(count)
      await expect(page.getByTestId('waited')).toBeVisible()
      await expect(dock).toBeHidden()
      await expect(page).not.toHaveTitle(/\(1\)/)
      await expect(step('answer')).toHaveAttribute('data-done', 'true')
      await expect(step('agent')).toHaveAttribute('data-done', 'false')
      await page.getByTestId('hide-first-steps').click()
      await page.reload()
      await expect(page.getByTestId('demo-strip')).toBeVisible()
      await expect(page.locator('[data-step]')).toHaveCount(0)
    } finally {
      // Requests of an open page would cause log errors while the server ends.
      await page.close()
      await server.stop()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    }
  })
})

test('an answer in one tab closes the card in the other, and a late answer gets the winner', async ({
  page,
  context,
  api,
  id
}) => {
  const sessionId = id('two-tabs')
  await askQuestion(api, sessionId)
  const other = await context.newPage()
  await other.goto(`/sessions/${sessionId}`)
  await page.goto(`/sessions/${sessionId}`)
  const { toolCallId } = (await openCalls(page, sessionId))[0] as { toolCallId: string }
  const tea = { name: 'tea', exact: true }
  await expect(other.getByRole('button', tea)).toBeVisible()
  await page.getByRole('button', tea).first().click()
  // The answer is sent when it can no longer be undone.
  await expect(other.getByRole('button', tea)).toHaveCount(0)

  const lateAnswer = await other.request.post(`/api/sessions/${sessionId}/calls/${toolCallId}/answer`, {
    data: { output: { answer: 'coffee' } },
    headers: { origin: new URL(other.url()).origin }
  })
  expect(lateAnswer.status()).toBe(409)
  expect(await lateAnswer.json()).toMatchObject({
    code: 'ALREADY_SETTLED',
    winner: { state: 'answered', answeredBy: 'Local owner' }
  })
})

test('a question can be answered by keyboard alone, which then focuses the message field', async ({
  page,
  api,
  id
}) => {
  const sessionId = id('by-keyboard')
  await askQuestion(api, sessionId)
  await page.goto(`/sessions/${sessionId}`)
  const dock = page.getByTestId('dock')
  await dock.getByRole('button', { name: 'coffee', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(dock).toHaveCount(0)
  await expect(page.locator('[data-tool="ask-question"][data-state="answered"]')).toBeVisible()
  await expect(page.locator('[data-composer]')).toBeFocused()
})

/** Starts a session and waits for its pending question. */
async function askQuestion(api: Api, sessionId: string) {
  await startSession(api, sessionId)
  await api('POST', `/api/sessions/${sessionId}/messages`, { text: demo.askToChoose('tea', 'coffee') })
  type Session = { session: { waitingFor: unknown[] } }
  const pendingCalls = async () =>
    (await api<Session>('GET', `/api/sessions/${sessionId}`)).session.waitingFor
  await expect.poll(pendingCalls).toHaveLength(1)
}

/** Returns the open calls of a session with the data that must survive a crash. */
async function openCalls(page: Page, id: string, url = ''): Promise<unknown[]> {
  const response = await page.request.get(`${url}/api/sessions/${id}`)
  const { session } = await response.json()
  return session.waitingFor.map(({ toolCallId, deadline }: { toolCallId: string; deadline: string }) => ({
    toolCallId,
    deadline
  }))
}
