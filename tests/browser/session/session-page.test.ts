import { expect, key, type Page, test } from '#tests/browser/test.ts'

async function begin(page: Page, sessionId: string, agentId = 'guide') {
  await page.request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId, sessionId, title: sessionId }
  })
  await page.goto(`/sessions/${sessionId}`)
}

async function say(page: Page, words: string) {
  await page.getByRole('textbox', { name: /message/i }).fill(words)
  await page.keyboard.press('ControlOrMeta+Enter')
}

test('the list tells of the session one looks at as soon as its page does, without a poll', async ({
  page
}) => {
  await page.addInitScript(() => {
    const real = window.setInterval
    const everyMs = 3000
    window.setInterval = ((act: TimerHandler, ms?: number) =>
      ms === everyMs ? 0 : real(act, ms)) as typeof window.setInterval
  })
  await begin(page, 'seen-at-once')
  const row = page.getByRole('list', { name: 'Sessions' }).getByRole('link', { name: /seen-at-once/ })
  await expect(row).not.toContainText('tea')
  await say(page, 'ask me whether tea is fine')
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'parked')
  await expect(row).toContainText('left')
})

test('a system that cannot be reached is told of where one waits, and its wait can be cancelled', async ({
  page
}) => {
  const nowhere = 'http://127.0.0.1:9/orders?token=hidden'
  await page.request.post('/api/agents', {
    headers: key,
    data: {
      agentId: 'sender',
      displayName: 'Sender',
      chat: {
        tools: [
          {
            name: 'dispatch',
            where: 'external',
            title: 'Acme dispatcher',
            description: 'Dispatches.',
            inputSchema: { type: 'object' },
            url: nowhere
          }
        ]
      }
    }
  })
  await begin(page, 'not-reached', 'sender')
  await say(page, 'use dispatch {}')
  const sentence = page.locator('[data-face]')
  await expect(sentence).toContainText('Acme dispatcher did not accept it: no answer')
  await page.reload()
  await expect(sentence).toContainText('Acme dispatcher did not accept it: no answer')
  await expect(page.getByText('It is not tried again by itself, and stays open.')).toBeVisible()

  await page.keyboard.press('i')
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await inspector.getByRole('tab', { name: 'Deliveries' }).click()
  await expect(page).toHaveURL(/inspect=deliveries/)
  await expect(inspector).toContainText('http://127.0.0.1:9/••••')
  await inspector.getByRole('tab', { name: 'Context' }).click()
  await expect(inspector.getByText('“still waiting” here')).toBeVisible()

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Cancel this wait' }).click()
  await page.getByRole('button', { name: 'Cancel the wait' }).click()
  await expect(page.getByRole('button', { name: 'dispatch cancelled by Local' })).toBeVisible()
  await expect(sentence).toHaveAttribute('data-face', 'idle')
  await expect(inspector.getByText('“still waiting” here')).toHaveCount(0)
})

test('the address names the tab, the event and the timeline, so that a link leads there', async ({
  page
}) => {
  await begin(page, 'linked')
  await say(page, 'say hello')
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'idle')
  await page.keyboard.press('Escape')
  await page.keyboard.press('t')
  await expect(page).toHaveURL(/\?inspect=timeline&wide=true$/)
  await page.reload()
  await expect(
    page.getByRole('complementary', { name: 'Timeline' }).getByRole('button', { name: /^Model/ })
  ).toBeVisible()
  await page.goto('/sessions/linked?inspect=events&seq=2')
  await expect(page.getByRole('region', { name: 'Event 2' })).toBeVisible()
})

test('004-12: what reaches the agent beside the conversation waits above the composer, can be taken back, and hangs on the rail where it was told', async ({
  page
}) => {
  await begin(page, 'beside')
  await say(page, 'count to 10000')
  const tell = (content: string, priority: string) =>
    page.request.post('/api/sessions/beside/oob', {
      headers: key,
      data: { content, priority, sourceId: 'ci' }
    })
  const waiting = page.getByRole('list', { name: 'Queued messages' })
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'running')
  await tell('Build 7 is red.', 'high')
  await tell('Build 8 is red.', 'low')
  await expect(waiting).toContainText('Before its next step')
  await waiting.getByRole('listitem').filter({ hasText: 'Build 8' }).getByRole('button').click()
  await expect(waiting).not.toContainText('Build 8')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'idle')
  await say(page, 'say hello')
  const card = page.getByRole('region', { name: 'Out-of-band message from ci, another system' })
  await expect(card).toContainText('Build 7 is red.')
  await expect(waiting).toHaveCount(0)
  await page.reload()
  await expect(card).toContainText('high')
  await expect(page.getByText('Build 8')).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })
  test('the inspector is a page of its own: back leads out of it, and so does closing it', async ({
    page
  }) => {
    await begin(page, 'on-a-phone')
    const open = () => page.getByRole('button', { name: 'Inspector', exact: true }).click()
    const inspector = page.getByRole('complementary', { name: 'Inspector' })
    await open()
    await inspector.getByRole('tab', { name: 'Calls' }).click()
    await page.goBack()
    await expect(inspector).toHaveCount(0)
    await expect(page).toHaveURL(/\/sessions\/on-a-phone$/)
    await open()
    await page.getByRole('button', { name: 'Close the inspector' }).click()
    await expect(inspector).toHaveCount(0)
    await page.goBack()
    await expect(page).not.toHaveURL(/on-a-phone/)
  })
})

test('a card says that more waits behind it, until it is the last', async ({ page }) => {
  const id = `one-of-two-${test.info().repeatEachIndex}`
  await begin(page, id)
  const card = page.locator('#waits [data-call]')
  for (const which of ['one', 'two']) {
    await page.request.post(`/api/sessions/${id}/messages`, {
      headers: key,
      data: { text: `use web-fetch {"url": "https://example.com/${which}"}` }
    })
    // What is sent before the first is asked would be one turn with it.
    await expect(card).toBeVisible()
  }
  await expect(card.getByText('1 of 2')).toBeVisible()
  await card.getByRole('button', { name: 'Decline…' }).click()
  await card.locator('[data-primary]').click()
  await page.mouse.move(0, 0)
  await expect(card).toBeVisible()
  await expect(card.getByText(/^\d of \d$/)).toHaveCount(0)
})

test.describe('under a finger', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })
  test('a second tap answers nothing that came to stand in the place of what was answered', async ({
    page
  }) => {
    await begin(page, 'two-approvals')
    const waiting = async () => {
      const { calls } = await (await page.request.get('/api/waiting', { headers: key })).json()
      return (calls as { sessionId: string }[]).filter(({ sessionId }) => sessionId === 'two-approvals')
        .length
    }
    for (const [n, page_] of ['one', 'two'].entries()) {
      await page.request.post('/api/sessions/two-approvals/messages', {
        headers: key,
        data: { text: `use web-fetch {"url": "https://example.com/${page_}"}` }
      })
      await expect.poll(waiting).toBe(n + 1)
    }
    await page.getByRole('button', { name: '2 wait for you' }).tap()
    const yes = page.getByRole('dialog').getByRole('button', { name: 'Fetch it' })
    await expect(page.getByRole('dialog').locator('.pointer-events-none')).toHaveCount(0)
    const box = await yes.boundingBox()
    const [x, y] = [(box?.x ?? 0) + 40, (box?.y ?? 0) + 12]
    await page.touchscreen.tap(x, y)
    await expect(page.getByRole('dialog', { name: '1 waits for you' })).toBeVisible()
    await page.touchscreen.tap(x, y)
    await expect(page.getByRole('dialog').locator('.pointer-events-none')).toHaveCount(0)
    expect(await waiting()).toBe(1)
    await page.touchscreen.tap(x, y)
    await expect.poll(waiting).toBe(0)
  })
})
