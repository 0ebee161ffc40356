import { once } from 'node:events'
import { WebSocket } from 'ws'
import { expect } from '#tests/browser/test.ts'
import { test } from './test.ts'

test('003-12, 003-13: a view consists of components without plugin code, its form reaches the plugin, and the page shows the result', async ({
  page,
  server,
  id
}) => {
  await page.goto('/sessions')
  await page.getByTestId('sidebar').locator('a[href="/views"]').click()
  await page.waitForURL(/\/views\/desk\/board$/)
  await expect(page.getByRole('heading', { name: 'Tasks <script>' })).toBeVisible()
  await expect(page.getByRole('cell', { name: 'Buy milk' })).toBeVisible()
  await expect(page.getByTestId('unknown-component')).toContainText('hologram')
  await expect(page.getByRole('link', { name: 'A trap' })).toHaveCount(0)
  await expect(page.getByRole('img')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Take over' })).toBeDisabled()

  const task = page.getByRole('textbox', { name: 'Task' })
  const add = page.getByRole('button', { name: 'Add' })
  await add.click()
  await expect(page.getByTestId('field-error')).toBeVisible()
  await task.fill('nothing')
  await add.click()
  await expect(page.getByText('Say what is to be done.')).toBeVisible()
  await task.fill(id('Call Ann'))
  await task.press('Enter')
  await expect(page.getByText('Added.')).toBeVisible()
  await expect(page.getByRole('cell', { name: id('Call Ann') })).toBeVisible()
  await expect(task).toHaveValue('')
  await expect(page).not.toHaveTitle(/hacked/)

  await page.getByTestId('views').getByRole('link', { name: 'Broken' }).click()
  await expect(page.getByTestId('view-error')).toBeVisible()
  await expect(page.getByTestId('retry')).toBeVisible()
  const response = await page.request.post('/api/v1/workspaces/default/views/desk/routes/api/tasks', {
    data: { task: id('Look') },
    headers: { origin: server.url }
  })
  // No weaker policy replaces these headers on the way out.
  expect(response.headers()).toMatchObject({
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store'
  })
  await page.goto('/views/desk/none')
  await expect(page.getByTestId('lost')).toBeVisible()
})

test('003-14: a chat says that the plugin failed, and the next message reaches it again', async ({
  page
}) => {
  await page.goto('/views/desk/talk')
  const field = page.getByPlaceholder('Ask the desk')
  const send = page.getByTestId('send')
  const log = page.getByRole('log')
  for (const times of [1, 2]) {
    await field.fill('Fail')
    await expect(send).toBeEnabled({ timeout: 60_000 })
    await field.press('Enter')
    await expect(log.locator('p.text-fail')).toHaveCount(times)
  }
  await field.fill('Hello')
  await expect(send).toBeEnabled({ timeout: 60_000 })
  await field.press('Enter')
  await expect(log).toContainText('You said “Hello”.')
})

test.describe('a plugin that goes down', () => {
  // The browser logs each failed connection.
  test.use({ allowedError: /WebSocket connection to / })

  test('003-14: a chat with a plugin streams, reconnects by itself after the plugin was down, and keeps the typed text', async ({
    page,
    plugins: { desk }
  }) => {
    await page.goto('/sessions')
    await page.getByTestId('plugin-views').getByRole('link', { name: 'Ask' }).click()
    const field = page.getByPlaceholder('Ask the desk')
    const send = page.getByTestId('send')
    const state = page.getByTestId('stream-state')
    await field.fill('Hello')
    await expect(send).toBeEnabled()
    await field.press('Enter')
    const log = page.getByRole('log')
    await expect(log).toContainText('You said “Hello”.')
    await expect(log.locator('[data-outcome="done"]')).toContainText('look')
    await expect(log.locator('p').last()).toHaveText(/desk .* archive/)

    await desk.stop()
    await expect(state).toHaveAttribute('data-state', 'waiting')
    await field.fill('Still there?')
    await expect(send).toBeDisabled()
    await desk.start()
    await expect(send).toBeEnabled({ timeout: 60_000 })
    await field.press('Enter')
    await expect(log).toContainText('You said “Still there?”.')
    await expect(log).toContainText('You said “Hello”.')
  })
})

test('003-14: a page of another origin gets no stream with the cookie of a user', async ({
  context,
  server
}) => {
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const address = `${server.url.replace('http', 'ws')}/api/v1/workspaces/default/views/desk/stream`
  const foreign = new WebSocket(address, { headers: { cookie }, origin: 'https://evil.example' })
  foreign.on('error', () => undefined)
  const [, rejection] = await once(foreign, 'unexpected-response')
  expect(rejection.statusCode).toBe(403)
  const own = new WebSocket(address, { headers: { cookie }, origin: server.url })
  await once(own, 'open')
  own.close()
})
