import { whyNotAnswerable } from '#components/session/wording/why-not-answerable.ts'
import { localOwner } from '#lib/auth/sign-in/local-owner.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { publishAgent } from '#tests/support/servers/publish-agent.ts'
import { detail, dispatchMessage, expect, fetchMessage, openWaiting, row, rows, test } from './test.ts'

test("the page shows pending requests, who can answer and until when, and can be limited to one's own", async ({
  page,
  waiting
}) => {
  const desk = await waiting.createAgent('desk')
  const strict = await waiting.createAgent('strict', { roles: ['editor'] })
  const sessions = {
    mine: await waiting.startSession('mine', fetchMessage('https://example.com/a'), desk),
    theirs: await waiting.startSession('theirs', fetchMessage('https://example.org/'), strict),
    acme: await waiting.startSession('acme', dispatchMessage, desk),
    question: await waiting.startSession('question', demo.askToChoose('tea', 'coffee'), desk)
  }
  await openWaiting(page)
  await expect(rows(page)).toHaveCount(4)
  for (const [name, sessionId] of Object.entries(sessions)) {
    const [call] = await waiting.calls(sessionId)
    await expect(row(page, name).getByTestId('deadline').locator('time')).toHaveAttribute(
      'datetime',
      call!.deadline
    )
    await row(page, name).locator('[data-waits]').click()
    await expect(detail(page).locator('time').first()).toHaveAttribute('datetime', call!.since)
  }
  await expect(row(page, 'mine')).toContainText('example.com/a')
  await expect(row(page, 'mine')).toHaveAttribute('data-mine', 'true')
  await expect(row(page, 'theirs')).toHaveAttribute('data-mine', 'false')
  await expect(row(page, 'acme').getByTestId('asked')).toContainText('Acme dispatcher')
  await expect(row(page, 'question')).toContainText(demo.choice)
  await page.getByTestId('show-mine').click()
  await expect(rows(page)).toHaveCount(2)
  await expect(page).toHaveURL(/[?&]mine=true/)
  await page.reload()
  await expect(rows(page)).toHaveCount(2)
  await expect(page.locator('nav a[href="/waiting"]')).toContainText('2')
  await page.getByTestId('filter-tool').click()
  await page.getByTestId('filter-tool-web-fetch').click()
  await expect(rows(page)).toHaveCount(1)
  await expect(page).toHaveURL(/tool=web-fetch/)
})

test('the page, the navigation, the session and the title of the tab count the same requests', async ({
  page,
  api,
  waiting
}) => {
  const desk = await waiting.createAgent('desk')
  const sessionId = await waiting.startSession('two', fetchMessage('https://example.com/a'), desk)
  await api('POST', `/api/sessions/${sessionId}/messages`, { text: fetchMessage('https://example.com/b') })
  await expect.poll(async () => (await waiting.calls(sessionId)).length).toBe(2)
  const badge = page.locator('nav a[href="/waiting"]')
  await openWaiting(page)
  await expect(badge).toContainText('2')
  await expect(rows(page)).toHaveCount(2)
  // All requests are for the user, so there is nothing to choose.
  await expect(page.getByTestId('show-mine')).toHaveCount(0)
  await page.goto(`/sessions/${sessionId}`)
  await expect(page.locator('[data-face]')).toHaveText(/^2 /)
  await expect(page.locator(`[data-session="${sessionId}"]`).getByTestId('session-reason')).toHaveText(/^2 /)
  await expect(page).toHaveTitle(/^\(2\)/)
  await openWaiting(page)
  await detail(page).getByTestId('approve-call').click()
  await expect(badge).toContainText('1')
  await expect(rows(page)).toHaveCount(1)
})

test('without an open session, the page of sessions answers the first request and starts a session', async ({
  page,
  waiting
}) => {
  const desk = await waiting.createAgent('desk')
  await waiting.startSession('first', fetchMessage('https://example.com/first'), desk)
  await waiting.startSession('second', fetchMessage('https://example.com/second'), desk)
  const third = await waiting.startSession('third', 'use dispatch {"order": "oil"}', desk)
  await page.goto('/sessions')
  await expect(detail(page)).toContainText('Order first')
  await expect(page.getByTestId('recent-sessions').locator(`a[href="/sessions/${third}"]`)).toBeVisible()
  await expect(detail(page).getByTestId('last-turns')).toHaveCount(0)
  await expect(page.getByTestId('other-requests').getByRole('link')).toHaveAttribute(
    'href',
    /^\/waiting\?call=/
  )
  await detail(page).getByTestId('approve-call').focus()
  await page.keyboard.press('Enter')
  await expect(detail(page)).toContainText('Order second')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.getByTestId('start-agent').filter({ hasText: desk }).click()
  await page.waitForURL(/\/sessions\/s_/)
  await expect(page.locator('[data-composer]')).toBeFocused()
})

test('the URL names the open request, which shows the turn that made it and not what came later', async ({
  page,
  api,
  waiting
}) => {
  const desk = await waiting.createAgent('desk')
  await waiting.startSession('first', fetchMessage('https://example.com/first'), desk)
  const sessionId = await waiting.startSession('second', fetchMessage('https://example.com/second'), desk)
  await api('POST', `/api/sessions/${sessionId}/messages`, { text: 'say later words' })
  await openWaiting(page)
  // On a wide screen, the first request is open.
  await expect(detail(page)).toContainText('example.com/first')
  await row(page, 'second').locator('[data-waits]').click()
  await page.reload()
  await expect(row(page, 'second').locator('[data-waits]')).toHaveAttribute('aria-current', 'true')
  await expect(detail(page).getByTestId('last-turns')).toContainText(
    fetchMessage('https://example.com/second')
  )
  await expect(detail(page).getByTestId('last-turns')).not.toContainText('later words')
  await expect(detail(page).getByTestId('open-session')).toHaveAttribute(
    'href',
    new RegExp(`^/sessions/${sessionId}\\?call=`)
  )
})

test('a card that only others can answer shows who can, and its buttons are disabled', async ({
  page,
  waiting
}) => {
  const strict = await waiting.createAgent('strict', { roles: ['editor'] })
  const sessionId = await waiting.startSession('theirs', fetchMessage('https://example.org/'), strict)
  const [call] = await waiting.calls(sessionId)
  const denial = whyNotAnswerable(call!, { id: localOwner.id, role: 'owner' }) ?? ''
  expect(denial).not.toBe('')
  await openWaiting(page)
  await expect(detail(page).getByTestId('barred')).toHaveText(denial)
  await expect(detail(page).getByTestId('approve-call')).toBeDisabled()
  await page.goto(`/sessions/${sessionId}`)
  const card = page.getByTestId('dock')
  await expect(card.getByTestId('barred')).toHaveText(denial)
  await expect(card.getByTestId('approve-call')).toBeDisabled()
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'not-mine')
  await expect(page).not.toHaveTitle(/^\(1\)/)
})

test('a newcomer answers three requests with the keyboard alone, and no single letter answers', async ({
  page,
  waiting
}) => {
  const desk = await waiting.createAgent('desk')
  const sessions = [
    await waiting.startSession('first', fetchMessage('https://example.com/first'), desk),
    await waiting.startSession('second', fetchMessage('https://example.com/second'), desk),
    await waiting.startSession('question', demo.askToChoose('tea', 'coffee'), desk)
  ]
  await openWaiting(page)
  const toggle = (name: string) => row(page, name).locator('[data-waits]')
  await expect(toggle('first')).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('j')
  await expect(toggle('second')).toBeFocused()
  await page.keyboard.press('k')
  await expect(toggle('first')).toBeFocused()
  for (const letter of ['a', 'd', 'y', 'ControlOrMeta+Enter']) await page.keyboard.press(letter)
  await expect(rows(page)).toHaveCount(3)
  const card = detail(page).locator('[data-call]')
  await page.keyboard.press('Enter')
  await expect(card).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(toggle('first')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(card).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Enter')
  // The next request opens, and the focus is in the list, so that no second press answers it.
  await expect(toggle('second')).toBeFocused()
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press('Enter')
  await expect(card).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(toggle('question')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(card).toBeFocused()
  await page.keyboard.press('2')
  await expect(detail(page).getByTestId('undo-answer')).toBeFocused()
  await expect(page.getByTestId('nothing-waits')).toBeVisible()
  for (const sessionId of sessions) expect(await waiting.calls(sessionId)).toEqual([])
})

test('several calls of one tool are approved together after their arguments are shown', async ({
  page,
  waiting
}) => {
  const desk = await waiting.createAgent('desk')
  const sessions = [
    await waiting.startSession('first', fetchMessage('https://example.com/first'), desk),
    await waiting.startSession('second', fetchMessage('https://example.com/second'), desk)
  ]
  await waiting.startSession('question', demo.askToChoose('tea', 'coffee'), desk)
  await openWaiting(page)
  await expect(row(page, 'first').locator('[data-waits]')).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('x')
  for (const name of ['second', 'question']) {
    await page.keyboard.press('j')
    await expect(row(page, name).locator('[data-waits]')).toHaveAttribute('aria-current', 'true')
    await page.keyboard.press('x')
  }
  await expect(page.getByTestId('select-request').and(page.locator(':checked'))).toHaveCount(2)
  await expect(row(page, 'question').getByTestId('select-request')).toHaveCount(0)
  await page.getByTestId('approve-several').press('Enter')
  const shown = page.getByRole('dialog').getByTestId('several-calls')
  for (const name of ['first', 'second']) await expect(shown).toContainText(`https://example.com/${name}`)
  await page.getByTestId('confirm-several').press('Enter')
  await expect(rows(page)).toHaveCount(1)
  for (const sessionId of sessions) expect(await waiting.calls(sessionId)).toEqual([])
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a cut URL shows its end in full', async ({ page, waiting }) => {
    const desk = await waiting.createAgent('desk')
    await waiting.startSession('long', fetchMessage('https://example.com/samples/of/a/page?id=1'), desk)
    await openWaiting(page)
    const title = row(page, 'long').locator('[data-end]')
    await expect(title).toHaveAttribute('data-end', /id=1$/)
    const fits = await title.evaluate(shown => ({
      inside: shown.scrollWidth <= shown.clientWidth,
      sameLine:
        shown.getBoundingClientRect().top === shown.previousElementSibling!.getBoundingClientRect().top
    }))
    expect(fits).toEqual({ inside: true, sameLine: true })
  })

  test('a request replaces the list, and the way back leads to its row', async ({ page, waiting }) => {
    const desk = await waiting.createAgent('desk')
    await waiting.startSession('first', fetchMessage('https://example.com/first'), desk)
    await openWaiting(page)
    const toggle = row(page, 'first').locator('[data-waits]')
    await toggle.press('Enter')
    await expect(detail(page).locator('[data-call]')).toBeFocused()
    await expect(rows(page).first()).toBeHidden()
    await page.getByTestId('back-to-list').click()
    await expect(rows(page).first()).toBeVisible()
    await toggle.press('Enter')
    await expect(detail(page).locator('[data-call]')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(toggle).toBeFocused()
  })
})

test('a new request appears on the open page, and one that is answered elsewhere disappears', async ({
  page,
  api,
  waiting
}) => {
  await page.goto('/waiting')
  await expect(page.getByTestId('nothing-waits')).toBeVisible()
  const sessionId = await waiting.startSession('late', demo.askToChoose('tea', 'coffee'))
  await expect(row(page, 'late')).toBeVisible()
  const [call] = await waiting.calls(sessionId)
  await api('POST', `/api/sessions/${sessionId}/calls/${call!.toolCallId}/answer`, { declined: true })
  await expect(row(page, 'late')).toHaveCount(0)
  await expect(page.getByTestId('nothing-waits')).toBeVisible()
})

test('while the server is unreachable, the list stays and the page shows that', async ({
  page,
  context,
  waiting
}) => {
  await waiting.startSession('stays', demo.askToChoose('tea', 'coffee'))
  await openWaiting(page)
  const offline = page.locator('[data-offline]')
  await context.setOffline(true)
  await expect(offline).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await context.setOffline(false)
  await expect(offline).toHaveCount(0)
})

test('a near deadline is highlighted, with different colors for users and external services', async ({
  page,
  waiting
}) => {
  const desk = await waiting.createAgent('desk')
  await waiting.startSession('fetch', fetchMessage('https://example.org/'), desk)
  await waiting.startSession('acme', dispatchMessage, desk)
  await waiting.startSession('question', demo.askToChoose('tea', 'coffee'), desk)
  await page.clock.install({ time: Date.now() + 20 * 3_600_000 })
  await openWaiting(page)
  const deadlineOf = (name: string) => row(page, name).getByTestId('deadline')
  for (const [name, near, waitsFor] of [
    ['fetch', 'true', 'person'],
    ['acme', 'true', 'system'],
    ['question', 'false', 'person']
  ] as const) {
    await expect(deadlineOf(name)).toHaveAttribute('data-near', near)
    await expect(deadlineOf(name)).toHaveAttribute('data-waits-for', waitsFor)
  }
  const color = (name: string) => deadlineOf(name).evaluate(element => getComputedStyle(element).color)
  const colors = await Promise.all(['fetch', 'acme', 'question'].map(color))
  expect(new Set(colors).size, 'each has a color of its own').toBe(3)
})

test('calls of an agent can be answered only by the roles that its form selects, and not by the user who asked', async ({
  page,
  waiting
}) => {
  const desk = await waiting.createAgent('desk')
  await page.goto(`/agents/${desk}?section=approvals`)
  const who = page.getByTestId('answerers')
  await who.locator('[value="only"]').check()
  await expect(who.getByTestId('answer-owner')).toBeChecked()
  await who.getByTestId('answer-not-asker').check()
  await expect(who.getByTestId('answer-links')).not.toBeChecked()
  await publishAgent(page, 2)
  const approve = page.getByTestId('dock').getByTestId('approve-call')
  // An API key started this turn.
  await page.goto(
    `/sessions/${await waiting.startSession('own', fetchMessage('https://example.net/'), desk)}`
  )
  await expect(approve).toBeEnabled()
  // The user of this page starts this turn.
  await page.goto(`/sessions/${await waiting.createSession('asked-here', desk)}`)
  await page.locator('[data-composer]').fill(fetchMessage('https://example.net/'))
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByTestId('dock').getByTestId('barred')).toContainText(localOwner.name)
  await expect(approve).toBeDisabled()
})
