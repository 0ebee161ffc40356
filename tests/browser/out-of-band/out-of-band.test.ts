import { edgeId, senderWords } from '#components/out-of-band/edge.ts'
import { fromWords, mutedWords, statusWords } from '#components/session/wording/out-of-band-words.ts'
import { localOwner } from '#lib/auth/sign-in/local-owner.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { ci, edges, expect, heldMessages, openPolicy, sendToMessage, test } from './test.ts'

test('the page is in the navigation, and without any signal, it shows how to send one to a session', async ({
  page,
  outOfBand
}) => {
  const sessionId = await outOfBand.create('command', 'The newest session')
  await page.goto('/settings')
  await page.getByTestId('sidebar').locator('a[href="/activity"]').click()
  await page.waitForURL(/\/activity$/)
  await expect(page.getByTestId('nothing-told')).toBeVisible()
  const { origin } = new URL(page.url())
  await expect(page.getByTestId('nothing-told').locator('pre')).toContainText(
    `curl '${origin}/api/sessions/${sessionId}/oob'`
  )
  await expect(page.getByTestId('show-longest')).toHaveCount(0)
})

test('004-12: the session list shows the current number of pending and held out-of-band messages', async ({
  page,
  api,
  outOfBand
}) => {
  const sessionId = await outOfBand.create('list', 'A row of the list')
  await page.goto('/settings/profile')
  const row = page.locator(`[data-session="${sessionId}"]`)
  const reason = row.getByTestId('session-reason')
  const heldHint = row.getByTestId('session-beside')
  await expect(row).toBeVisible()
  await outOfBand.send(sessionId, 'Build 1 is red.')
  await expect(reason).toContainText(/^\D*1\D*$/)
  await outOfBand.setPolicy(sessionId, { mode: 'approve' })
  await outOfBand.send(sessionId, 'Build 2 is red.')
  await expect(reason).toContainText(/^\D*1\D*1\D*$/)
  await expect(heldHint).toHaveCount(0)
  await api('POST', `/api/sessions/${sessionId}/messages`, { text: demo.askToChoose('tea', 'coffee') })
  // The question of the agent has priority, and the held message is shown next to it.
  await expect(reason).toContainText(demo.choice)
  await expect(heldHint).toContainText('1')
})

test('004-14: a held message shows its exact text above the composer, and is approved or removed by keyboard', async ({
  page,
  outOfBand
}) => {
  const sessionId = await outOfBand.create('held', 'Held')
  await outOfBand.setPolicy(sessionId, { mode: 'approve' })
  await page.goto(`/sessions/${sessionId}`)
  await expect(page.locator('[data-composer]')).toBeVisible()
  const hostile = '<img src=x onerror="document.title=1"> & </blockquote>\nBuild 3 is red.'
  await outOfBand.send(sessionId, hostile, { priority: 'high', metadata: { action: 'redirect' } })
  await outOfBand.send(sessionId, 'The kettle is free.', { sourceId: 'kitchen' })
  await expect(heldMessages(page)).toHaveCount(2)
  const [first, second] = [heldMessages(page).first(), heldMessages(page).last()]
  await expect(first).toContainText(fromWords(ci))
  await expect(first).toContainText('high')
  await expect(first).toContainText('redirect')
  await expect(first.locator('blockquote')).toHaveText(hostile)
  await expect(page.getByTestId('held-news')).toContainText('kitchen')

  await first.getByTestId('let-in-message').press('Enter')
  await expect(heldMessages(page)).toHaveCount(1)
  await expect(page.locator('[data-held]')).toBeFocused()
  await expect(page.getByTestId('queued-messages')).toContainText(`${fromWords(ci)}: <img`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(second.getByTestId('remove-message')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(heldMessages(page)).toHaveCount(0)
  await outOfBand.sendMessage(sessionId, 'say hello')
  await expect(page.getByTestId('out-of-band-message').getByTestId('let-in-by')).toContainText(
    localOwner.name
  )
  expect(await page.title()).toContain('Held')
})

test('22 B1: an expired and a removed message stay labeled in the transcript, and are linked from the list of messages', async ({
  page,
  api,
  outOfBand
}) => {
  const sessionId = await outOfBand.create('unreceived', 'Unreceived')
  await page.goto(`/sessions/${sessionId}`)
  const cards = page.getByTestId('out-of-band-message')
  const expired = await outOfBand.send(sessionId, 'The slot is free.', { ttlSeconds: 1 })
  const removed = await outOfBand.send(sessionId, 'Build 12 is red.')
  await outOfBand.send(sessionId, 'Valid for a day.', { ttlSeconds: 86_400 })
  await expect(page.getByTestId('queued-messages').getByTestId('expiry')).toHaveCount(1)
  await api('DELETE', `/api/sessions/${sessionId}/oob/${removed.id}`)
  const statuses = () => cards.evaluateAll(all => all.map(({ dataset }) => [dataset.oob, dataset.status]))
  const expectedStatuses = [
    [expired.id, 'expired'],
    [removed.id, 'cancelled']
  ]
  await expect.poll(statuses).toEqual(expectedStatuses)
  await outOfBand.sendMessage(sessionId, 'say hello')
  await expect(cards).toHaveCount(3)
  await page.reload()
  await expect(cards).toHaveCount(3)
  expect((await statuses()).slice(0, 2)).toEqual(expectedStatuses)
  await expect(page.locator('[data-row]').first()).toContainText('The slot is free.')

  await page.goto('/out-of-band?view=messages')
  await page
    .getByTestId('told-messages')
    .getByRole('listitem')
    .filter({ hasText: 'The slot is free.' })
    .getByTestId('show-message')
    .click()
  await page.waitForURL(`**/sessions/${sessionId}?oob=${expired.id}`)
  await expect(page.locator(`[data-oob="${expired.id}"]`)).toBeInViewport()
})

test('004-14: a second click does not remove the message that has just moved to the place of the first', async ({
  page,
  outOfBand
}) => {
  const sessionId = await outOfBand.create('twice', 'Twice')
  await outOfBand.setPolicy(sessionId, { mode: 'approve' })
  for (const build of [4, 5, 6, 7, 8]) await outOfBand.send(sessionId, `Build ${build} is red.`)
  await page.goto(`/sessions/${sessionId}`)
  await expect(heldMessages(page)).toHaveCount(5)
  await expect(page.locator('[data-settling]')).toHaveCount(0)
  const remove = heldMessages(page).first().getByTestId('remove-message')
  await remove.click({ trial: true })
  const box = await remove.boundingBox()
  const position = [(box?.x ?? 0) + 8, (box?.y ?? 0) + 8] as const
  /** Reports the button under the click position at the moment when the list becomes shorter. */
  const hitOnRemoval = page.evaluate(
    ([x, y]) =>
      new Promise(report =>
        new MutationObserver((_, observer) => {
          if (document.querySelectorAll('[data-held-message]').length === 5) return
          observer.disconnect()
          report(document.elementFromPoint(x, y)?.closest('button')?.dataset.hook ?? 'nothing')
        }).observe(document.body, { childList: true, subtree: true })
      ),
    position
  )
  await page.mouse.dblclick(...position)
  expect(await hitOnRemoval).toBe('nothing')
  await expect(heldMessages(page).locator('blockquote')).toHaveText(
    [5, 6, 7, 8].map(build => `Build ${build} is red.`)
  )
  const hitNow = () =>
    page.evaluate(
      ([x, y]) => document.elementFromPoint(x, y)?.closest('button')?.dataset.hook ?? 'nothing',
      position
    )
  await expect.poll(hitNow).toBe('remove-message')
})

test('004-17: the policy is changed in the menu by keyboard, is stored, and a change from elsewhere appears at once', async ({
  page,
  outOfBand
}) => {
  const sessionId = await outOfBand.create('policy', 'Policy')
  await page.goto(`/sessions/${sessionId}`)
  const dialog = await openPolicy(page)
  const mode = (value: string) => dialog.locator(`input[type="radio"][value="${value}"]`)
  const save = dialog.getByTestId('save')
  const outcome = dialog.getByTestId('outcome')
  await expect(mode('inherit')).toBeChecked()
  await expect(save).toBeDisabled()
  await mode('on').focus()
  await page.keyboard.press('ArrowDown')
  await expect(mode('approve')).toBeChecked()
  await dialog.getByRole('combobox').selectOption('high')
  await expect(dialog.getByTestId('refused-priorities')).toContainText('high')
  await page.route('**/oob/policy', route => route.abort(), { times: 1 })
  await save.press('Enter')
  await expect(outcome).toHaveAttribute('data-outcome', 'failed')
  await save.press('Enter')
  await expect(outcome).toHaveAttribute('data-outcome', 'saved')
  expect(await outOfBand.policyOf(sessionId)).toMatchObject({
    mode: 'approve',
    minPriority: 'high',
    muted: []
  })

  // Changes by other users appear.
  await outOfBand.setPolicy(sessionId, { mode: 'off', muted: [{ source: 'agent' }] })
  await expect(mode('off')).toBeChecked()
  await expect(dialog.getByTestId('muted-sources')).toContainText(mutedWords({ source: 'agent' }))
  await dialog.getByTestId('unmute-source').click()
  await save.click()
  await expect(outcome).toHaveAttribute('data-outcome', 'saved')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(await outOfBand.policyOf(sessionId)).toMatchObject({ mode: 'off', minPriority: 'low', muted: [] })
  await page.reload()
  await page.getByTestId('session-menu').click()
  await expect(page.getByTestId('open-policy').getByTestId('menu-hint')).toBeVisible()
  await page.getByTestId('open-policy').click()
  await expect(mode('off')).toBeChecked()
})

test('004-17: a source is muted at its message, is then rejected, and is unmuted again', async ({
  page,
  outOfBand
}) => {
  const sessionId = await outOfBand.create('muted', 'Muted')
  await outOfBand.send(sessionId, 'Build 8 is red.')
  await outOfBand.sendMessage(sessionId, 'say hello')
  await page.goto(`/sessions/${sessionId}`)
  const card = page.getByTestId('out-of-band-message')
  await card.getByTestId('mute-source').click()
  await expect(card.getByTestId('muted')).toBeVisible()
  expect((await outOfBand.policyOf(sessionId)).muted).toEqual([ci])
  const dialog = await openPolicy(page)
  await expect(dialog.getByTestId('muted-sources')).toContainText(mutedWords(ci))
  await page.keyboard.press('Escape')
  await card.getByTestId('unmute-source').click()
  await expect(card.getByTestId('mute-source')).toBeVisible()
  expect((await outOfBand.policyOf(sessionId)).muted).toEqual([])

  // A source that is muted as part of a type cannot be unmuted alone.
  await outOfBand.setPolicy(sessionId, { muted: [{ source: 'external' }] })
  await expect(card.getByTestId('muted-kind')).toBeVisible()
  await expect(card.locator('[data-hook="mute-source"], [data-hook="unmute-source"]')).toHaveCount(0)
})

test('004-17: a user who cannot approve messages sees the policy but cannot change it', async ({
  page,
  statesUrl
}) => {
  await page.route(`${statesUrl}/api/**`, route => route.abort())
  await page.goto(`${statesUrl}/?state=not-mine`)
  const dialog = await openPolicy(page)
  await expect(dialog.getByTestId('read-only')).toBeVisible()
  await expect(dialog.locator('input[value="on"]')).toBeDisabled()
  await expect(dialog.getByRole('combobox')).toBeDisabled()
  await expect(dialog.getByTestId('save')).toHaveCount(0)
})

test('004-17: each pair has one row, newest first, which expands to its messages, and each message links to its place', async ({
  page,
  outOfBand
}) => {
  test.slow()
  const review = await outOfBand.create('review', 'Review the login')
  const build = await outOfBand.create('build', 'Build 2.4')
  const docs = await outOfBand.create('docs', 'API documentation')
  const first = await outOfBand.send(docs, 'API docs only, please.')
  await outOfBand.sendMessage(docs, 'say hello')
  for (let number = 1; number <= 30; number++) await outOfBand.sendMessage(docs, `say ${number}`)
  await outOfBand.sendMessage(review, sendToMessage(build, 'Do not release yet.'))
  await outOfBand.send(build, 'Build 9 is red.', { priority: 'low' })
  await outOfBand.send(build, 'Build 10 is red.', { priority: 'low' })
  await page.goto('/out-of-band')
  const rows = edges(page)
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText(senderWords(ci))
  await expect(rows.nth(0)).toContainText('Build 2.4')
  await expect(rows.nth(0)).toContainText('Build 10 is red.')
  await expect(rows.nth(0)).toHaveAttribute('data-count', '2')
  await expect(rows.nth(0)).toHaveAttribute('data-status', 'visible')
  await expect(rows.nth(1)).toContainText('Review the login')
  await expect(rows.nth(1)).toContainText('Do not release yet.')
  await expect(rows.filter({ hasText: 'API documentation' })).toHaveAttribute('data-status', 'acknowledged')

  // The list is live: a new message appears at the top.
  await outOfBand.send(docs, 'And the index.')
  await expect(rows.nth(0)).toContainText('And the index.')
  await page.keyboard.press('j')
  await expect(rows.nth(0).locator('[data-edge]')).toBeFocused()
  await page.keyboard.press('Enter')
  const messages = rows.nth(0).getByTestId('told-messages').getByRole('listitem')
  await expect(messages).toHaveCount(2)
  await expect(messages.nth(0)).toHaveAttribute('data-status', 'visible')
  await expect(messages.nth(0)).toHaveAttribute('data-priority', 'normal')
  await expect(messages.nth(1)).toHaveAttribute('data-status', 'acknowledged')
  await expect(messages.nth(1)).toContainText(statusWords.acknowledged)
  await expect(messages.nth(1)).toContainText('API docs only, please.')
  await messages.nth(1).getByTestId('show-message').click()
  await page.waitForURL(`**/sessions/${docs}?oob=${first.id}`)
  // The message is far up, so the page loads earlier messages until it is there.
  await expect(page.locator(`[data-oob="${first.id}"]`)).toBeInViewport()
})

test('004-17: the diagram and the list of messages show the same data, and the URL stores the choice', async ({
  page,
  api,
  outOfBand
}) => {
  const review = await outOfBand.create('review', 'Review the login')
  const build = await outOfBand.create('build', 'Build 2.4')
  const docs = await outOfBand.create('docs', 'API documentation')
  await outOfBand.sendMessage(review, sendToMessage(build, 'Do not release yet.'))
  const { id } = await outOfBand.send(docs, 'The cellar is dry.')
  await api('DELETE', `/api/sessions/${docs}/oob/${id}`)
  await outOfBand.setPolicy(docs, { mode: 'approve' })
  await outOfBand.send(docs, 'And the glossary.')
  await page.goto('/out-of-band')
  const drawing = page.getByTestId('told-drawing')
  await expect(drawing).toContainText('Review the login')
  await expect(drawing.locator('[data-arc]')).toHaveCount(await edges(page).count())
  await edges(page).filter({ hasText: 'Review the login' }).hover()
  const from = { source: 'agent', sourceId: 'crew', sessionId: review } as const
  const arc = edgeId({ from, to: { sessionId: build, title: 'Build 2.4', agentName: 'Crew' } })
  await expect(drawing.locator(`[data-arc="${arc}"]`)).toHaveAttribute('data-marked', 'true')
  await page.getByTestId('show-messages').click()
  const messages = page.getByTestId('told-messages').getByRole('listitem')
  await expect(messages.first()).toContainText('And the glossary.')
  await expect(messages.first()).toHaveAttribute('data-status', 'held')
  await expect(
    messages.filter({ hasText: 'Review the login' }).filter({ hasText: 'Build 2.4' })
  ).toContainText('Do not release')
  await expect(messages.filter({ hasText: 'The cellar is dry.' })).toHaveAttribute('data-status', 'cancelled')
  const hour = page.getByTestId('show-1')
  await hour.click()
  await expect(page).toHaveURL(/\?hours=1&view=messages$/)
  await page.reload()
  await expect(hour).toHaveAttribute('aria-pressed', 'true')
  await expect(messages.first()).toContainText('And the glossary.')
})
