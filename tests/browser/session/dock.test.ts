import { expect, type Page, test } from './test.ts'

type Post = { path: string; body: unknown }

/** The parked session; every answer gets this reply, and what was posted is returned. */
async function parked(
  page: Page,
  statesUrl: string,
  status = 200,
  reply: unknown = { toolCallId: 'call_fetch', state: 'approved' }
) {
  const posts: Post[] = []
  await page.route('**/api/**', route => {
    const request = route.request()
    if (request.method() !== 'POST') return
    posts.push({ path: new URL(request.url()).pathname, body: request.postDataJSON() })
    return route.fulfill({ status, json: reply })
  })
  await page.goto(`${statesUrl}/?state=parked`)
  await expect(page.locator('#waits')).toBeVisible()
  return posts
}

test('a draft is one draft: dock and row show it, a reload keeps it, ⌘ ↵ sends it once', async ({
  page,
  statesUrl
}) => {
  const posts = await parked(page, statesUrl)
  await page.locator('[data-row="call_fetch"] [data-toggle]').click()
  const dock = page.locator('#waits')
  await dock.getByTestId('decline-call').click()
  await dock.getByRole('textbox').fill('not today')
  await expect(page.locator('[data-place="inline"] textarea')).toHaveValue('not today')
  await page.reload()
  await expect(dock.getByRole('textbox')).toHaveValue('not today')
  await dock.getByRole('textbox').press('ControlOrMeta+Enter')
  await expect(dock.locator('[data-primary]')).toBeDisabled()
  await expect
    .poll(() => posts)
    .toEqual([
      { path: '/api/sessions/parked/calls/call_fetch/answer', body: { approved: false, reason: 'not today' } }
    ])
})

test('a second click on Edit… is no yes: nothing can be approved as edited that was not', async ({
  page,
  statesUrl
}) => {
  const posts = await parked(page, statesUrl)
  const dock = page.locator('#waits')
  await dock.getByTestId('edit-call').dblclick()
  await expect(dock.locator('[data-primary]')).toBeDisabled()
  await dock.getByRole('textbox').fill('{ "url": "https://example.org" }')
  await expect(dock.locator('[data-primary]')).toBeEnabled()
  expect(posts.filter(({ path }) => path.includes('/calls/'))).toEqual([])
})

test('what is typed after a click on Decline… is the reason, and no shortcut', async ({
  page,
  statesUrl
}) => {
  await parked(page, statesUrl)
  const dock = page.locator('#waits')
  await dock.getByTestId('decline-call').click()
  await page.keyboard.type('Not now, please')
  await expect(dock.getByRole('textbox')).toHaveValue('Not now, please')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the ring of the focused dock is whole: its buttons stay clear of it', async ({ page, statesUrl }) => {
  await parked(page, statesUrl)
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

test('no single key approves or declines', async ({ page, statesUrl }) => {
  const posts = await parked(page, statesUrl)
  for (const key of [...'abcdefghijklmnopqrstuvwxyz0123456789/?', 'Enter', 'Escape', 'Space']) {
    await page.keyboard.press(key)
    if (await page.getByRole('dialog').count()) await page.keyboard.press('Escape')
  }
  expect(posts.filter(({ path }) => path.includes('/calls/'))).toEqual([])
  await expect(page.locator('#waits')).toBeVisible()
})

test('an answer that came too late says who was faster', async ({ page, statesUrl }) => {
  const winner = { state: 'approved', answeredBy: 'Ben', at: new Date().toISOString() }
  await parked(page, statesUrl, 409, { error: 'It is settled.', code: 'ALREADY_SETTLED', winner })
  await page.locator('#waits').getByTestId('approve-call').click()
  await expect(page.getByTestId('late-answer')).toContainText('Ben')
  await page.getByTestId('show-call').click()
  await expect(page.locator('[data-row="call_fetch"] [data-toggle]')).toHaveAttribute('aria-expanded', 'true')
})

test('an answer that could not be sent is kept, and goes out after a reload', async ({ page, statesUrl }) => {
  await parked(page, statesUrl, 503, { error: 'Down.', code: 'UNAVAILABLE' })
  await page.locator('#waits').getByTestId('approve-call').click()
  await expect(page.locator('#waits').getByTestId('unsent-answer')).toBeVisible()
  // The page tries again each second: it must be gone before its tries are counted.
  await page.goto('about:blank')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const posts = await parked(page, statesUrl)
  await expect.poll(() => posts.map(({ body }) => body)).toEqual([{ approved: true }])
})

test('the skip link leads to what waits, and the edited arguments must be JSON', async ({
  page,
  statesUrl
}) => {
  const posts = await parked(page, statesUrl)
  await page.keyboard.press('Tab')
  await expect(page.locator(':focus')).toHaveAttribute('href', '#waits')
  await page.keyboard.press('Enter')
  await expect(page.locator('#waits')).toBeFocused()
  await page.locator('#waits').getByTestId('edit-call').click()
  const field = page.locator('#waits').getByRole('textbox')
  await field.fill('{"url":')
  await expect(field).toHaveAccessibleDescription(/./)
  await expect(page.locator('#waits [data-primary]')).toBeDisabled()
  await field.fill('{"url":"https://example.org"}')
  await page.locator('#waits [data-primary]').click()
  await expect
    .poll(() => posts.map(({ body }) => body))
    .toEqual([{ approved: true, input: { url: 'https://example.org' } }])
})
