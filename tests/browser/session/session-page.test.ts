import { localOwner } from '#lib/auth/sign-in/local-owner.ts'
import { expect, test } from '#tests/browser/test.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { startSession, typeMessage } from './start-session.ts'

const face = '[data-face]'

test('the list shows that the open session waits as soon as its page does, without a poll', async ({
  page,
  api,
  id
}) => {
  const sessionId = id('seen-at-once')
  // Repeating timers do not run by themselves in this test.
  await page.addInitScript(() => {
    const timers: (() => void)[] = []
    Object.assign(window, { repeated: timers })
    window.setInterval = ((act: () => void) => timers.push(act)) as typeof window.setInterval
  })
  await startSession(page, api, sessionId)
  const row = page.locator(`[data-session="${sessionId}"]`)
  await expect(row).not.toHaveAttribute('data-state', 'parked')
  await typeMessage(page, demo.askWhether('tea is fine'))
  await expect(page.locator(face)).toHaveAttribute('data-face', 'parked')
  await expect(row).toHaveAttribute('data-state', 'parked')
  // One of the timers that did not run is the poll, which requests the list.
  const listRequest = page.waitForRequest(/\/api\/sessions\?/)
  await page.evaluate(() => {
    for (const act of (window as unknown as { repeated: (() => void)[] }).repeated) act()
  })
  await listRequest
})

test('lists give their size to screen readers, and a link inside a session keeps the page', async ({
  page,
  api,
  id
}) => {
  await startSession(page, api, id('links'))
  await typeMessage(page, demo.askWhether('tea is fine'))
  await expect(page.locator(face)).toHaveAttribute('data-face', 'parked')
  const row = page.getByTestId('transcript').locator('li[aria-posinset="1"]')
  await expect(row).toHaveAttribute('aria-setsize', /^[2-9]$/)
  await expect(page.getByTestId('sessions').locator('li').first()).toHaveAttribute('aria-posinset', '1')
  await page.evaluate(() => Object.assign(window, { kept: true }))
  await page.getByTestId('agent-name').getByRole('link').click()
  await page.waitForURL(/\/agents\/guide$/)
  expect(await page.evaluate(() => 'kept' in window)).toBe(true)
})

test('the header shows the whole status beside the open inspector, and cuts the title instead', async ({
  page,
  api,
  id
}) => {
  const sessionId = id('narrow')
  const title = 'A title that is longer than the space which the status leaves for it'
  await api('POST', '/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId, title })
  await page.goto(`/sessions/${sessionId}?inspect=events`)
  await typeMessage(page, demo.askWhether('tea is fine'))
  await expect(page.locator(face)).toHaveAttribute('data-face', 'parked')
  const cut = (selector: string) =>
    page.locator(selector).evaluate(element => element.scrollWidth > element.clientWidth)
  await expect.poll(() => cut(`${face} > span`)).toBe(false)
  expect(await cut('h1 button > span > span')).toBe(true)
})

test('a page that waits for an unreachable endpoint shows that, and the request can be canceled', async ({
  page,
  api,
  id
}) => {
  const nowhere = 'http://127.0.0.1:9/orders?token=hidden'
  const agentId = id('sender')
  await api('POST', '/api/agents', {
    agentId,
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
  })
  await startSession(page, api, id('not-reached'), agentId)
  await typeMessage(page, 'use dispatch {}')
  const sentence = page.locator(face)
  const delivery = page.getByTestId('call-delivery')
  await expect(delivery).toHaveAttribute('data-trouble', /^Acme dispatcher /)
  const trouble = (await delivery.getAttribute('data-trouble')) ?? ''
  await expect(sentence).toContainText(trouble.replace(/\.$/, ''))
  await page.reload()
  await expect(sentence).toContainText(trouble.replace(/\.$/, ''))
  await expect(delivery).toContainText(trouble)

  await page.keyboard.press('i')
  const inspector = page.getByTestId('inspector')
  await inspector.getByTestId('tab-deliveries').click()
  await expect(page).toHaveURL(/inspect=deliveries/)
  await expect(inspector).toContainText('http://127.0.0.1:9/••••')
  await inspector.getByTestId('tab-context').click()
  await expect(inspector.getByTestId('still-waiting')).toBeVisible()

  await page.getByTestId('session-menu').click()
  await page.getByTestId('cancel-waits').click()
  await page.getByTestId('confirm').click()
  const call = page.getByTestId('tool-call').and(page.locator('[data-tool="dispatch"]'))
  await expect(call).toHaveAttribute('data-state', 'cancelled')
  await expect(call).toContainText(localOwner.name)
  await expect(sentence).toHaveAttribute('data-face', 'idle')
  await expect(inspector.getByTestId('still-waiting')).toHaveCount(0)
})

test('the URL contains the tab, the event and the trace, so that links lead there, and earlier links too', async ({
  page,
  api,
  id
}) => {
  const sessionId = id('linked')
  await startSession(page, api, sessionId)
  await typeMessage(page, 'say hello')
  await expect(page.locator(face)).toHaveAttribute('data-face', 'idle')
  await page.keyboard.press('Escape')
  await page.keyboard.press('t')
  await expect(page).toHaveURL(/\?inspect=trace&wide=true$/)
  await page.reload()
  await expect(page.getByTestId('trace-band').locator('[data-bar]').first()).toBeVisible()
  for (const tab of ['trace', 'events', 'calls', 'timeline']) {
    await page.goto(`/sessions/${sessionId}?inspect=${tab}&seq=2`)
    await expect(page.getByTestId('tab-trace')).toHaveAttribute('aria-selected', 'true')
    await expect(page.locator('[data-event="2"]').getByRole('region')).toBeVisible()
  }
  // A chunk is in a group, and its step is the selected row.
  await page.goto(`/sessions/${sessionId}?inspect=trace&seq=5`)
  await expect(page.locator('[data-event="5"]').getByRole('region')).toBeVisible()
  await expect(page.locator('[data-trace][aria-selected=true]')).toHaveAttribute('data-kind', 'step')
})

test('004-12: a pending out-of-band message is shown above the composer, can be removed, and stays where the agent received it', async ({
  page,
  api,
  id
}) => {
  const sessionId = id('beside')
  await startSession(page, api, sessionId)
  await typeMessage(page, 'count to 10000')
  const sendOutOfBand = (content: string, priority: string) =>
    api('POST', `/api/sessions/${sessionId}/oob`, { content, priority, sourceId: 'ci' })
  const waiting = page.getByTestId('queued-messages')
  const message = (text: string) => waiting.getByTestId('queued-message').filter({ hasText: text })
  await expect(page.locator(face)).toHaveAttribute('data-face', 'running')
  await sendOutOfBand('Build 7 is red.', 'high')
  await sendOutOfBand('Build 8 is red.', 'low')
  await expect(message('Build 7')).toBeVisible()
  await message('Build 8').getByTestId('remove-queued').click()
  await expect(message('Build 8')).toHaveCount(0)
  await page.getByTestId('stop-turn').click()
  await expect(page.locator(face)).toHaveAttribute('data-face', 'idle')
  await typeMessage(page, 'say hello')
  const card = page.getByTestId('out-of-band-message').and(page.locator('[data-status="acknowledged"]'))
  await expect(card).toContainText('Build 7 is red.')
  await expect(waiting).toHaveCount(0)
  await page.reload()
  await expect(card).toContainText('high')
  // A removed message stays at its place and is labeled.
  const removed = page.getByTestId('out-of-band-message').and(page.locator('[data-status="cancelled"]'))
  await expect(removed).toContainText('Build 8')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })
  test('the inspector is a separate page: back and its close button both leave it', async ({
    page,
    api,
    id
  }) => {
    const sessionId = id('on-a-phone')
    // A page to go back to.
    await page.goto('/settings/profile')
    await startSession(page, api, sessionId)
    const open = () => page.getByTestId('toggle-inspector').click()
    const inspector = page.getByTestId('inspector')
    await open()
    await inspector.getByTestId('tab-context').click()
    await page.goBack()
    await expect(inspector).toHaveCount(0)
    await expect(page).toHaveURL(`/sessions/${sessionId}`)
    await open()
    await page.getByTestId('close-inspector').click()
    await expect(inspector).toHaveCount(0)
    await page.goBack()
    await expect(page).toHaveURL('/settings/profile')
  })
})

test('a card shows that more requests are pending, until it is the last one', async ({ page, api, id }) => {
  const sessionId = id('one-of-two')
  await startSession(page, api, sessionId)
  const card = page.locator('#waits [data-call]')
  for (const which of ['one', 'two']) {
    await api('POST', `/api/sessions/${sessionId}/messages`, {
      text: `use web-fetch {"url": "https://example.com/${which}"}`,
      whenBusy: 'queue'
    })
    // A message sent before the first request would join its turn.
    await expect(card).toBeVisible()
  }
  await expect(card.getByTestId('call-position')).toBeVisible()
  await card.getByTestId('decline-call').click()
  await card.getByTestId('confirm-decline').click()
  await page.mouse.move(0, 0)
  await expect(card).toBeVisible()
  await expect(card.getByTestId('call-position')).toHaveCount(0)
})

test('all pending calls of a tool are approved together, after their arguments are shown', async ({
  page,
  api,
  id
}) => {
  const sessionId = id('approve-all')
  await startSession(page, api, sessionId)
  const dock = page.getByTestId('dock')
  for (const which of ['one', 'two']) {
    const text = `use web-fetch {"url": "https://example.com/${which}"}`
    await api('POST', `/api/sessions/${sessionId}/messages`, { text, whenBusy: 'queue' })
    // A message sent before the first request would join its turn.
    await expect(dock).toContainText(`example.com/${which}`)
  }
  await dock.getByTestId('approve-all').press('Enter')
  const shown = page.getByRole('dialog').getByTestId('several-calls')
  for (const which of ['one', 'two']) await expect(shown).toContainText(`https://example.com/${which}`)
  await page.getByTestId('confirm-several').press('Enter')
  await expect(dock).toHaveCount(0)
  const { calls } = await api<{ calls: { state: string }[] }>('GET', `/api/sessions/${sessionId}`)
  expect(calls.map(({ state }) => state)).not.toContain('open')
})

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })
  test('a second tap does not answer the call that replaced the answered one', async ({ page, api, id }) => {
    const sessionId = id('two-approvals')
    await startSession(page, api, sessionId)
    const waiting = async () => {
      const { calls } = await api<{ calls: { sessionId: string }[] }>('GET', '/api/waiting')
      return calls.filter(call => call.sessionId === sessionId).length
    }
    for (const [n, which] of ['one', 'two'].entries()) {
      // A call waits before its turn has ended.
      await api('POST', `/api/sessions/${sessionId}/messages`, {
        text: `use web-fetch {"url": "https://example.com/${which}"}`,
        whenBusy: 'queue'
      })
      await expect.poll(waiting).toBe(n + 1)
    }
    const sheet = page.getByRole('dialog')
    const others = page.getByTestId('waiting-calls').getByRole('button')
    await page.getByTestId('open-dock').tap()
    await expect(others).toHaveCount(1)
    await expect(sheet.locator('[data-settling]')).toHaveCount(0)
    const approve = sheet.getByTestId('approve-call')
    await approve.tap()
    await expect(others).toHaveCount(0)
    await approve.tap({ force: true })
    await expect(sheet.locator('[data-settling]')).toHaveCount(0)
    expect(await waiting()).toBe(1)
    await approve.tap()
    await expect.poll(waiting).toBe(0)
  })
})
