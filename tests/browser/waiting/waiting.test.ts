import { whyNotAnswerable } from '#components/session/wording/why-not-answerable.ts'
import { localOwner } from '#lib/auth/sign-in/local-owner.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { publishAgent } from '#tests/support/servers/publish-agent.ts'
import { dispatchMessage, expect, fetchMessage, openWaiting, row, rows, test } from './test.ts'

test("the page shows pending requests, who can answer, since when and until when, and can be limited to one's own", async ({
  page,
  waiting
}) => {
  const desk = await waiting.createAgent('desk')
  const strict = await waiting.createAgent('strict', { roles: ['editor'] })
  const sessions = {
    mine: await waiting.startSession('mine', fetchMessage('https://example.com/'), desk),
    theirs: await waiting.startSession('theirs', fetchMessage('https://example.org/'), strict),
    acme: await waiting.startSession('acme', dispatchMessage, desk),
    question: await waiting.startSession('question', demo.askToChoose('tea', 'coffee'), desk)
  }
  await openWaiting(page)
  await expect(rows(page)).toHaveCount(4)
  for (const [name, sessionId] of Object.entries(sessions)) {
    const [call] = await waiting.calls(sessionId)
    await expect(row(page, name).locator('time').first()).toHaveAttribute('datetime', call!.since)
    await expect(row(page, name).getByTestId('deadline').locator('time')).toHaveAttribute(
      'datetime',
      call!.deadline
    )
  }
  await expect(row(page, 'mine')).toContainText('https://example.com/')
  await expect(row(page, 'mine')).toHaveAttribute('data-mine', 'true')
  await expect(row(page, 'theirs')).toHaveAttribute('data-mine', 'false')
  await expect(row(page, 'acme').getByTestId('asked')).toContainText('Acme dispatcher')
  await expect(row(page, 'question')).toContainText(demo.choice)
  await page.getByTestId('show-mine').click()
  await expect(rows(page)).toHaveCount(2)
  await expect(page).toHaveURL(/\/waiting\?mine=true$/)
  await page.reload()
  await expect(rows(page)).toHaveCount(2)
  await expect(page.locator('nav a[href="/waiting"]')).toContainText('2')
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
  await row(page, 'theirs').locator('[data-waits]').click()
  await expect(row(page, 'theirs').getByTestId('barred')).toHaveText(denial)
  await expect(row(page, 'theirs').getByTestId('approve-call')).toBeDisabled()
  await page.goto(`/sessions/${sessionId}`)
  const card = page.getByTestId('dock')
  await expect(card.getByTestId('barred')).toHaveText(denial)
  await expect(card.getByTestId('approve-call')).toBeDisabled()
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'not-mine')
  await expect(page).not.toHaveTitle(/^\(1\)/)
})

test('j and k move through pending requests, ↵ opens, Esc closes and ⌘ ↵ answers, and no single letter answers', async ({
  page,
  waiting
}) => {
  const desk = await waiting.createAgent('desk')
  await waiting.startSession('first', fetchMessage('https://example.com/first'), desk)
  await waiting.startSession('mine', fetchMessage('https://example.com/'), desk)
  await waiting.startSession('question', demo.askToChoose('tea', 'coffee'), desk)
  await openWaiting(page)
  await expect(rows(page)).toHaveCount(3)
  const toggles = page.locator('[data-waits]')
  await page.keyboard.press('j')
  await expect(toggles.nth(0)).toBeFocused()
  await page.keyboard.press('j')
  await expect(toggles.nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await expect(toggles.nth(0)).toBeFocused()
  // The call with the nearest deadline comes first.
  await page.keyboard.press('j')
  const opener = row(page, 'mine').locator('[data-waits]')
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(opener).toHaveAttribute('aria-expanded', 'true')
  for (const letter of ['a', 'd', 'y']) await page.keyboard.press(letter)
  await page.keyboard.press('Escape')
  await expect(opener).toHaveAttribute('aria-expanded', 'false')
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await row(page, 'mine').getByTestId('approve-call').focus()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(row(page, 'mine')).toHaveCount(0)
  // The row that moved up has the focus, so the next key press continues there.
  await expect(row(page, 'question').locator('[data-waits]')).toBeFocused()
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
  await who.getByTestId('answer-owner').check()
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
