import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { startServer } from '#tests/support/start-server.ts'

/** The README's first screen, as a stranger would walk it. */
test('a run stops for me, the server is killed, and it goes on where it stopped; its row says how long it waited (002-15)', async ({
  page
}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waystation-first-run-'))
  let server = await startServer({ WAYSTATION_DATA_DIR: dataDir })
  const port = new URL(server.url).port
  try {
    await page.goto(server.url)
    await page.getByRole('button', { name: 'Continue as local owner' }).click()
    await expect(page).toHaveURL(/\/sessions\/welcome$/)

    await page.getByRole('button', { name: 'Fetch a page, with my approval' }).click()
    const dock = page.getByRole('region', { name: /waiting|waits/i })
    const fetchIt = dock.getByRole('button', { name: 'Fetch it' })
    await expect(fetchIt).toBeVisible()
    await expect(page).toHaveTitle(/^\(1\) Waiting for you/)
    const before = await openCalls(page, 'welcome', server.url)
    expect(before).toHaveLength(1)

    server.process.kill('SIGKILL')
    await server.exited
    server = await startServer({ WAYSTATION_DATA_DIR: dataDir, PORT: port })
    await page.reload()
    await expect(fetchIt).toBeVisible()
    await expect(dock.getByText(/The server restarted \(\d+ s\)\. Nothing was lost\./)).toBeVisible()
    expect(await openCalls(page, 'welcome', server.url)).toEqual(before)

    await page.getByRole('textbox', { name: /message/i }).fill('hello')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(page.getByText('I am still waiting for')).toBeVisible()
    await expect(fetchIt).toBeVisible()

    await fetchIt.click()
    const transcript = page.getByRole('region', { name: 'Transcript' })
    await expect(transcript.getByText(/I saw the late answer to/)).toBeVisible()
    await expect(page.getByText(/^waited /)).toBeVisible()
    await expect(fetchIt).toBeHidden()
    await expect(page).not.toHaveTitle(/Waiting for you/)
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
})

test('an answer in one tab closes the card in the other within a second, and the late one is told who won', async ({
  page,
  context
}) => {
  await signIn(page)
  const id = await newSession(page, 'ask me to choose between tea and coffee')
  const other = await context.newPage()
  await opens(other, id)
  await opens(page, id)
  const { toolCallId } = (await openCalls(page, id))[0] as { toolCallId: string }
  await page.getByRole('button', { name: 'tea', exact: true }).first().click()
  await expect(other.getByRole('button', { name: 'tea', exact: true })).toHaveCount(0, { timeout: 3000 })

  const late = await other.request.post(`/api/sessions/${id}/calls/${toolCallId}/answer`, {
    data: { output: { answer: 'coffee' } },
    headers: { origin: new URL(other.url()).origin }
  })
  expect(late.status()).toBe(409)
  expect(await late.json()).toMatchObject({
    code: 'ALREADY_SETTLED',
    winner: { state: 'answered', answeredBy: 'Local owner' }
  })
})

test('a question can be answered by keyboard alone, which then has the composer, and axe finds nothing', async ({
  page
}) => {
  await signIn(page)
  const id = await newSession(page, 'ask me to choose between tea and coffee')
  await opens(page, id)
  const found = await new AxeBuilder({ page }).analyze()
  expect(found.violations.map(({ id, nodes }) => [id, nodes.length, nodes[0]?.html])).toEqual([])
  const dock = page.getByRole('region', { name: 'One thing waits for you' })
  await dock.getByRole('button', { name: 'coffee', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(dock).toHaveCount(0)
  await expect(
    page.getByRole('region', { name: 'Transcript' }).getByText('You answered “coffee”.')
  ).toBeVisible()
  await expect(page.getByRole('textbox', { name: /message/i })).toBeFocused()
})

async function signIn(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await expect(page).toHaveURL(/\/sessions\/welcome$/)
}

/** Opens a session that waits; the title says so once the page is alive. */
async function opens(page: Page, id: string): Promise<void> {
  await page.goto(`/sessions/${id}`)
  await expect(page).toHaveTitle(/^\(1\) Waiting for you/)
}

/** A session with one message, made by the API as the person who is signed in. */
async function newSession(page: Page, text: string): Promise<string> {
  const headers = { origin: new URL(page.url()).origin }
  const made = await page.request.post('/api/plugins/sessions/operations/create', {
    data: { agentId: 'guide' },
    headers
  })
  const { result } = await made.json()
  const sent = await page.request.post(`/api/sessions/${result.sessionId}/messages`, {
    data: { text },
    headers
  })
  expect(sent.status()).toBe(202)
  return result.sessionId
}

/** The open calls of a session: what must be the same after a crash. */
async function openCalls(page: Page, id: string, url = ''): Promise<unknown[]> {
  const answer = await page.request.get(`${url}/api/sessions/${id}`)
  const { session } = await answer.json()
  return session.waitingFor.map(({ toolCallId, deadline }: { toolCallId: string; deadline: string }) => ({
    toolCallId,
    deadline
  }))
}
