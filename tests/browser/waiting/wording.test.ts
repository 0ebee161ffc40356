import { expectTexts } from '#tests/browser/expect-texts.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { detail, dispatchMessage, expect, fetchMessage, openWaiting, row, rows, test } from './test.ts'

test('text of the page without pending requests', async ({ page }) => {
  await page.goto('/waiting')
  await expectTexts([[page.getByTestId('nothing-waits'), 'text', /^No pending requests\./]])
})

test('texts of the page', async ({ page, context, waiting }) => {
  const desk = await waiting.createAgent('desk')
  const strict = await waiting.createAgent('strict', { roles: ['editor'] })
  await waiting.startSession('mine', fetchMessage('https://example.com/'), desk)
  const othersSession = await waiting.startSession('theirs', fetchMessage('https://example.org/'), strict)
  await waiting.startSession('acme', dispatchMessage, desk)
  await waiting.startSession('question', demo.askToChoose('tea', 'coffee'), desk)
  await openWaiting(page)
  await expectTexts([
    [page.locator('#waits'), 'name', 'Pending requests'],
    [page.locator('nav a[href="/waiting"]'), 'name', 'Waiting 2 for you'],
    [page.getByTestId('show-all'), 'name', 'All 4'],
    [page.getByTestId('show-mine'), 'name', 'For you 2'],
    [row(page, 'mine'), 'part', 'Fetch example.com'],
    [row(page, 'mine').getByTestId('deadline'), 'part', /24 h left/],
    [row(page, 'theirs'), 'part', 'for Editors'],
    [row(page, 'acme'), 'part', 'Waiting for Acme dispatcher'],
    [row(page, 'acme'), 'part', 'for Acme dispatcher'],
    [row(page, 'question').getByTestId('deadline'), 'part', /7 d left/]
  ])
  await row(page, 'theirs').locator('[data-waits]').click()
  await expectTexts([
    [detail(page).getByTestId('barred'), 'text', 'Only editors can approve this.'],
    [detail(page).getByTestId('approve-call'), 'name', 'Fetch page']
  ])
  await context.setOffline(true)
  await expectTexts([
    [page.locator('[data-offline]'), 'text', "Can't reach the server. The list may be out of date. Retrying…"]
  ])
  await context.setOffline(false)
  await expect(page.locator('[data-offline]')).toHaveCount(0)
  await page.getByTestId('show-mine').click()
  await expect(rows(page)).toHaveCount(2)

  await page.goto(`/sessions/${othersSession}`)
  await expectTexts([
    [page.getByTestId('dock').getByTestId('barred'), 'text', 'Only editors can approve this.'],
    [page.getByTestId('tool-call'), 'part', 'waiting for editors'],
    [page.locator('[data-face]'), 'text', 'Waiting for editors']
  ])
})

test('texts of the answer permissions', async ({ page, waiting }) => {
  const desk = await waiting.createAgent('desk', { roles: ['owner'], notAsker: true })
  await page.goto(`/agents/${desk}?section=approvals`)
  const who = page.getByTestId('answerers')
  await expectTexts([
    [who, 'name', 'Answer permissions'],
    [who.getByTestId('answer-owner'), 'name', 'Owners'],
    [who.getByTestId('answer-editor'), 'name', 'Editors'],
    [who.getByTestId('answer-operator'), 'name', 'Operators'],
    [who.getByTestId('answer-not-asker'), 'name', /^Require a second person/],
    [who.getByTestId('answer-links'), 'name', /^Allow answer links/]
  ])
  await page.goto(`/sessions/${await waiting.createSession('asked-here', desk)}`)
  await page.locator('[data-composer]').fill(fetchMessage('https://example.net/'))
  await page.keyboard.press('ControlOrMeta+Enter')
  await expectTexts([
    [
      page.getByTestId('dock').getByTestId('barred'),
      'text',
      'Only owners can approve this, but not Local owner.'
    ]
  ])
})
