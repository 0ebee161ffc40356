import { localOwner } from '#lib/auth/sign-in/local-owner.ts'
import { expectTexts } from '#tests/browser/expect-texts.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { ci, edges, expect, heldMessages, openPolicy, sendToMessage, test } from './test.ts'

test('texts of the page', async ({ page, outOfBand }) => {
  // The earlier URL.
  await page.goto('/out-of-band')
  await page.waitForURL(/\/activity$/)
  await expectTexts([[page.getByTestId('activity-tabs').getByRole('link').first(), 'name', 'Signals']])
  await expectTexts([[page.getByTestId('nothing-told'), 'text', /^No signals yet.*Send one to a session/]])

  const review = await outOfBand.create('review', 'Review the login')
  const build = await outOfBand.create('build', 'Build 2.4')
  await outOfBand.sendMessage(review, sendToMessage(build, 'Do not release yet.'))
  await outOfBand.send(review, 'Build 9 is red.')
  await outOfBand.sendMessage(review, 'say hello')
  await outOfBand.send(build, 'Build 10 is red.')
  await outOfBand.send(build, 'Build 11 is red.')
  await page.goto('/out-of-band')
  await expect(edges(page)).toHaveCount(3)
  await expectTexts([
    [page.getByTestId('told-edges'), 'name', 'Senders and receivers'],
    [page.getByTestId('told-drawing'), 'name', /^Diagram of the list/],
    [page.getByTestId('show-messages'), 'name', 'All signals'],
    [page.getByTestId('show-1'), 'name', '1 h'],
    [
      edges(page).nth(0),
      'text',
      /^ci, an external system to Build 2\.4\s*2 messages, last.*\d\d:\d\d.*Build 11 is red\.\s*pending$/
    ],
    [edges(page).nth(2), 'text', /^Review the login to Build 2\.4.*Do not release yet\.\s*pending$/]
  ])
  await edges(page).nth(1).locator('[data-edge]').click()
  await expectTexts([
    [page.getByTestId('told-messages'), 'name', 'Messages'],
    [page.getByTestId('show-message'), 'name', /^Show in session/],
    [page.getByTestId('told-messages').getByRole('listitem'), 'text', /acknowledged after <?\d/]
  ])
})

test('the palette finds the page by its name', async ({ page }) => {
  await page.goto('/settings/profile')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill('signals')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/activity$/)
})

test('texts of the session list', async ({ page, api, outOfBand }) => {
  const sessionId = await outOfBand.create('list', 'A row of the list')
  await outOfBand.send(sessionId, 'Build 1 is red.')
  await page.goto('/settings/profile')
  const row = page.locator(`[data-session="${sessionId}"]`)
  await expectTexts([[row.getByTestId('session-reason'), 'text', '1 signal']])
  await outOfBand.setPolicy(sessionId, { mode: 'approve' })
  await outOfBand.send(sessionId, 'Build 2 is red.')
  await expectTexts([[row.getByTestId('session-reason'), 'text', '1 needs your approval, 1 signal']])
  await api('POST', `/api/sessions/${sessionId}/messages`, { text: demo.askToChoose('tea', 'coffee') })
  await expectTexts([[row.getByTestId('session-beside'), 'text', '1 held signals']])
})

test('texts of a held message and of a muted source', async ({ page, outOfBand }) => {
  const sessionId = await outOfBand.create('held', 'Held')
  await outOfBand.setPolicy(sessionId, { mode: 'approve' })
  await page.goto(`/sessions/${sessionId}`)
  await outOfBand.send(sessionId, 'Build 3 is red.')
  await expectTexts([
    [page.locator('[data-held]'), 'name', 'Needs your approval'],
    [page.getByTestId('held-news'), 'text', /^Needs approval: signal from/],
    [heldMessages(page).getByTestId('let-in-message'), 'name', 'Approve message from ci, an external system'],
    [heldMessages(page).getByTestId('remove-message'), 'name', 'Remove message from ci, an external system'],
    [heldMessages(page).getByTestId('remove-message'), 'text', 'Remove message']
  ])
  await heldMessages(page).getByTestId('let-in-message').click()
  await expect(heldMessages(page)).toHaveCount(0)
  await outOfBand.sendMessage(sessionId, 'say hello')
  const card = page.getByTestId('out-of-band-message')
  await expectTexts([
    [card, 'name', 'Signal from ci, an external system'],
    [card.getByTestId('let-in-by'), 'text', `approved by ${localOwner.name}`],
    [card.getByTestId('mute-source'), 'name', 'Mute source: ci, an external system']
  ])
  await card.getByTestId('mute-source').click()
  await expectTexts([
    [card.getByTestId('muted'), 'text', 'Muted.'],
    [card.getByTestId('unmute-source'), 'name', 'Unmute source: ci, an external system']
  ])
  await outOfBand.setPolicy(sessionId, { muted: [{ source: 'external' }] })
  await expectTexts([[card.getByTestId('muted-kind'), 'text', 'All sources of this type are muted.']])
})

test('texts of the policy of a session', async ({ page, outOfBand }) => {
  const sessionId = await outOfBand.create('policy', 'Policy')
  await outOfBand.setPolicy(sessionId, { muted: [ci, { source: 'agent' }] })
  await page.goto(`/sessions/${sessionId}`)
  const dialog = await openPolicy(page)
  const mode = (value: string) => dialog.locator(`input[type="radio"][value="${value}"]`)
  await expectTexts([
    [dialog, 'name', 'Signals'],
    [mode('inherit'), 'name', /^Default: On/],
    [mode('on'), 'name', /^On/],
    [mode('approve'), 'name', /^Ask first/],
    [mode('off'), 'name', /^Off/],
    [dialog.getByRole('combobox'), 'name', 'Minimum priority'],
    [dialog.getByTestId('muted-sources'), 'name', 'Muted'],
    [dialog.getByTestId('muted-sources').getByRole('listitem').nth(0), 'text', /^ci, an external system/],
    [dialog.getByTestId('muted-sources').getByRole('listitem').nth(1), 'text', /^all other agents/],
    [dialog.getByTestId('unmute-source').nth(1), 'name', 'Unmute source: all other agents'],
    [dialog.getByTestId('save'), 'name', 'Save policy']
  ])
  await mode('off').check()
  await dialog.getByRole('combobox').selectOption('high')
  await expectTexts([
    [dialog.getByTestId('refused-priorities'), 'text', 'Messages below high priority are rejected.']
  ])
  await page.route('**/oob/policy', route => route.abort(), { times: 1 })
  await dialog.getByTestId('save').click()
  await expectTexts([
    [dialog.getByTestId('outcome'), 'text', "Can't reach the server. Your changes weren't saved. Try again."]
  ])
  await dialog.getByTestId('save').click()
  await expectTexts([[dialog.getByTestId('outcome'), 'text', 'Saved.']])
  await page.keyboard.press('Escape')
  await page.getByTestId('session-menu').click()
  await expectTexts([[page.getByTestId('open-policy'), 'text', 'Signals…off']])
})

test('text for a user who cannot change the policy', async ({ page, statesUrl }) => {
  await page.route(`${statesUrl}/api/**`, route => route.abort())
  await page.goto(`${statesUrl}/?state=not-mine`)
  const dialog = await openPolicy(page)
  await expectTexts([
    [
      dialog.getByTestId('read-only'),
      'text',
      'You can view this policy but not change it. An approver of this workspace can.'
    ]
  ])
})

test('texts of messages that the agent never received, and of the expiry', async ({
  page,
  api,
  outOfBand
}) => {
  const sessionId = await outOfBand.create('unreceived', 'Unreceived')
  await outOfBand.send(sessionId, 'The slot is free.', { ttlSeconds: 1 })
  const { id } = await outOfBand.send(sessionId, 'Build 12 is red.')
  await outOfBand.send(sessionId, 'Valid for a day.', { ttlSeconds: 86_400 })
  await api('DELETE', `/api/sessions/${sessionId}/oob/${id}`)
  await page.goto(`/sessions/${sessionId}`)
  const card = (status: string) => page.locator(`[data-oob][data-status=${status}]`)
  await expectTexts([
    [card('expired'), 'part', /Expired .*\d\d:\d\d\. The agent did not receive it\./],
    [card('cancelled'), 'part', /Removed .*\d\d:\d\d\. The agent did not receive it\./],
    [page.getByTestId('expiry'), 'text', /^expires .*\d\d:\d\d$/]
  ])
})
