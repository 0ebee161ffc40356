import { startSession, typeMessage } from './start-session.ts'
import { expect, type Page, test } from './test.ts'

type Post = { path: string; body: unknown }

/** Opens the parked session, in which every answer gets this reply. Returns the posted requests. */
async function openParked(
  page: Page,
  statesUrl: string,
  status = 200,
  reply: unknown = { toolCallId: 'call_fetch', state: 'approved' }
) {
  const posts: Post[] = []
  await page.route('**/api/**', route => {
    const request = route.request()
    const path = new URL(request.url()).pathname
    // The page marks its messages as read.
    if (request.method() !== 'POST' || path.endsWith('/read')) return
    posts.push({ path, body: request.postDataJSON() })
    return route.fulfill({ status, json: reply })
  })
  await page.goto(`${statesUrl}/?state=parked`)
  await expect(page.locator('#waits')).toBeVisible()
  return posts
}

test('an open row leads to its card, a reload keeps the reason of a decline, and ⌘ ↵ sends it once', async ({
  page,
  statesUrl
}) => {
  const posts = await openParked(page, statesUrl)
  await page.locator('[data-row="call_fetch"] [data-toggle]').click()
  const dock = page.locator('#waits')
  await expect(page.locator('[data-place="inline"]')).toHaveCount(0)
  await page.locator('[data-row="call_fetch"]').getByTestId('to-card').press('Enter')
  await expect(dock).toBeFocused()
  await dock.getByTestId('decline-call').click()
  await dock.getByRole('textbox').fill('not today')
  await page.reload()
  await expect(dock.getByTestId('approve-call')).toBeVisible()
  await dock.getByTestId('decline-call').click()
  await expect(dock.getByRole('textbox')).toHaveValue('not today')
  await dock.getByRole('textbox').press('ControlOrMeta+Enter')
  await expect(dock.locator('[data-primary]')).toBeDisabled()
  await expect
    .poll(() => posts)
    .toEqual([
      { path: '/api/sessions/parked/calls/call_fetch/answer', body: { approved: false, reason: 'not today' } }
    ])
})

test('a second click on Edit does not approve: unchanged arguments cannot be approved as edited', async ({
  page,
  statesUrl
}) => {
  const posts = await openParked(page, statesUrl)
  const dock = page.locator('#waits')
  await dock.getByTestId('edit-call').dblclick()
  await expect(dock.locator('[data-primary]')).toBeDisabled()
  await dock.getByRole('textbox', { name: 'url' }).fill('https://example.org')
  await expect(dock.locator('[data-primary]')).toBeEnabled()
  expect(posts.filter(({ path }) => path.includes('/calls/'))).toEqual([])
})

test('the editor shows every argument: a list as one text per line, and nested values as JSON that stays as it is', async ({
  page,
  api,
  id
}) => {
  const agentId = id('deployer')
  const inputSchema = { type: 'object' }
  const url = 'http://127.0.0.1:9/'
  const tools = [
    { name: 'deploy', description: 'Deploys.', where: 'external', inputSchema, url, approval: 'ask' }
  ]
  await api('POST', '/api/agents', { agentId, displayName: 'Deployer', chat: { tools } })
  await startSession(page, api, agentId, agentId)
  const answers: unknown[] = []
  await page.route('**/answer', route => {
    answers.push(route.request().postDataJSON())
    return route.fulfill({ json: { toolCallId: 'call', state: 'approved' } })
  })
  const input = { service: 'checkout', regions: ['eu-west-1', 'us-east-1'], limits: { cpu: 2 } }
  await typeMessage(page, `use deploy ${JSON.stringify(input)}`)
  const dock = page.locator('#waits')
  await dock.getByTestId('decline-call').click()
  await expect(dock.getByTestId('call-arguments')).toContainText('us-east-1')
  await dock.getByRole('textbox').press('Escape')
  await dock.getByTestId('edit-call').click()
  const regions = dock.getByRole('textbox', { name: 'regions' })
  await expect(regions).toHaveValue('eu-west-1\nus-east-1')
  await expect(dock.getByRole('textbox', { name: 'service' })).toHaveValue('checkout')
  await expect(dock.getByTestId('fixed-argument')).toContainText('"cpu": 2')
  await regions.fill('eu-west-1\nap-south-1\n')
  await dock.getByTestId('approve-edited').click()
  await expect
    .poll(() => answers)
    .toEqual([{ approved: true, input: { ...input, regions: ['eu-west-1', 'ap-south-1'] } }])
})

test('text typed after a click on Decline is the reason and triggers no shortcuts', async ({
  page,
  statesUrl
}) => {
  await openParked(page, statesUrl)
  const dock = page.locator('#waits')
  await dock.getByTestId('decline-call').click()
  await page.keyboard.type('Not now, please')
  await expect(dock.getByRole('textbox')).toHaveValue('Not now, please')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the focus ring of the dock is not covered by its buttons', async ({ page, statesUrl }) => {
  await openParked(page, statesUrl)
  const dock = page.locator('#waits')
  await dock.focus()
  const below = await dock.evaluate(section => {
    const bar = section.querySelector('[data-primary]')?.parentElement
    return bar === null || bar === undefined
      ? undefined
      : section.getBoundingClientRect().bottom - bar.getBoundingClientRect().bottom
  })
  expect(below).toBeGreaterThanOrEqual(2)
})

test('the deadline of a card says how it ends, and its menu extends it', async ({ page, statesUrl }) => {
  const posts = await openParked(page, statesUrl, 200, { deadline: new Date().toISOString() })
  const deadline = page.locator('#waits').getByTestId('call-deadline')
  await expect(deadline).toHaveAttribute('data-late', /true|false/)
  await deadline.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('add-day')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect
    .poll(() => posts.map(({ path }) => path))
    .toEqual(['/api/sessions/parked/calls/call_fetch/extend'])
  await expect(deadline).toBeFocused()
})

test('no single key approves or declines', async ({ page, statesUrl }) => {
  const posts = await openParked(page, statesUrl)
  for (const key of [...'abcdefghijklmnopqrstuvwxyz0123456789/?', 'Enter', 'Escape', 'Space']) {
    await page.keyboard.press(key)
    if (await page.getByRole('dialog').count()) await page.keyboard.press('Escape')
  }
  expect(posts.filter(({ path }) => path.includes('/calls/'))).toEqual([])
  await expect(page.locator('#waits')).toBeVisible()
})

test('a late answer shows who answered first', async ({ page, statesUrl }) => {
  const winner = { state: 'approved', answeredBy: 'Ben', at: new Date().toISOString() }
  await openParked(page, statesUrl, 409, { error: 'It is settled.', code: 'ALREADY_SETTLED', winner })
  await page.locator('#waits').getByTestId('approve-call').click()
  await expect(page.getByTestId('late-answer')).toContainText('Ben')
  await page.getByTestId('show-call').click()
  await expect(page.locator('[data-row="call_fetch"] [data-toggle]')).toHaveAttribute('aria-expanded', 'true')
})

test('an answer that could not be sent is stored, and sent after a reload', async ({ page, statesUrl }) => {
  await openParked(page, statesUrl, 503, { error: 'Down.', code: 'UNAVAILABLE' })
  await page.locator('#waits').getByTestId('approve-call').click()
  await expect(page.locator('#waits').getByTestId('unsent-answer')).toBeVisible()
  // The page retries once a second, so it must be closed before the requests are counted.
  await page.goto('about:blank')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const posts = await openParked(page, statesUrl)
  await expect.poll(() => posts.map(({ body }) => body)).toEqual([{ approved: true }])
})

test('the skip link focuses the pending request, and edited arguments must be JSON', async ({
  page,
  statesUrl
}) => {
  const posts = await openParked(page, statesUrl)
  await page.keyboard.press('Tab')
  await expect(page.locator(':focus')).toHaveAttribute('href', '#waits')
  await page.keyboard.press('Enter')
  await expect(page.locator('#waits')).toBeFocused()
  await page.locator('#waits').getByTestId('edit-call').click()
  await page.locator('#waits').getByTestId('edit-json').click()
  const field = page.locator('#waits').getByRole('textbox')
  await expect(field).toBeFocused()
  await field.fill('{"url":')
  await expect(field).toHaveAccessibleDescription(/./)
  await expect(page.locator('#waits [data-primary]')).toBeDisabled()
  await field.fill('{"url":"https://example.org"}')
  await page.locator('#waits [data-primary]').click()
  await expect
    .poll(() => posts.map(({ body }) => body))
    .toEqual([{ approved: true, input: { url: 'https://example.org' } }])
})

test.describe('edited arguments that the server refuses', () => {
  test.use({ allowedError: /422/ })

  test('the card names the argument that is wrong', async ({ page, statesUrl }) => {
    const fields = { url: 'must be string' }
    await openParked(page, statesUrl, 422, { error: 'It does not fit.', code: 'INVALID_INPUT', fields })
    const dock = page.locator('#waits')
    await dock.getByTestId('edit-call').click()
    await dock.getByRole('textbox', { name: 'url' }).fill('nowhere')
    await dock.locator('[data-primary]').click()
    await expect(dock.getByTestId('refused-answer')).toContainText('url: must be string')
  })
})

test('Escape leaves the editor and the reason of a card, keeps their input, and the focus goes back to the button', async ({
  page,
  statesUrl
}) => {
  const posts = await openParked(page, statesUrl)
  const dock = page.locator('#waits')
  const field = dock.getByRole('textbox', { name: 'url' })
  const reason = dock.getByRole('textbox')
  const edited = 'https://example.org'
  await dock.getByTestId('edit-call').click()
  await field.fill(edited)
  await field.press('Escape')
  await expect(field).toHaveCount(0)
  await expect(dock.getByTestId('edit-call')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue(edited)
  await dock.getByTestId('undo-edits').focus()
  await page.keyboard.press('Escape')
  await dock.getByTestId('decline-call').click()
  await reason.fill('Not now')
  await reason.press('Escape')
  await expect(dock.getByTestId('decline-call')).toBeFocused()
  await dock.getByTestId('decline-call').click()
  await expect(reason).toHaveValue('Not now')
  expect(posts.filter(({ path }) => path.includes('/calls/'))).toEqual([])
})

test('a draft that another tab changes is shown in this one', async ({ page, context, statesUrl }) => {
  await openParked(page, statesUrl)
  const other = await context.newPage()
  await openParked(other, statesUrl)
  for (const tab of [page, other]) await tab.locator('#waits').getByTestId('decline-call').click()
  await other.locator('#waits').getByRole('textbox').fill('not today')
  await expect(page.locator('#waits').getByRole('textbox')).toHaveValue('not today')
  await page.locator('#waits').getByRole('textbox').fill('tomorrow')
  await expect(other.locator('#waits').getByRole('textbox')).toHaveValue('tomorrow')
})
