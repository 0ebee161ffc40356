import { AxeBuilder } from '@axe-core/playwright'
import { expect, key, type Page, test } from '#tests/browser/test.ts'

const bubbles = (page: Page) => page.getByTestId('message-bubble')
/** The row of a message that says this. */
const row = (page: Page, words: string) => page.locator('[data-row]').filter({ hasText: words })

/** A session in which these have been said and answered. */
async function talked(page: Page, sessionId: string, words: string[]) {
  const data = { agentId: 'guide', sessionId, title: sessionId }
  await page.request.post('/api/plugins/sessions/operations/create', { headers: key, data })
  await page.goto(`/sessions/${sessionId}`)
  for (const text of words) {
    const answers = page.locator('[data-hook=message-bubble][data-role=assistant]')
    const before = await answers.count()
    await page.getByRole('textbox', { name: /message/i }).fill(text)
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(answers).toHaveCount(before + 1)
    await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'idle')
  }
}

test('001-21: a message is edited in its place; Esc leaves it, ⌘↵ sends it, a second tab and a reload show the same', async ({
  page,
  context
}) => {
  await talked(page, 'edited', ['say one', 'say two'])
  const other = await context.newPage()
  await other.goto('/sessions/edited')
  await row(page, 'say one').hover()
  await row(page, 'say one').getByTestId('message-edit').click()
  const field = page.getByRole('textbox', { name: 'Edit your message' })
  await expect(field).toBeFocused()
  await expect(page.getByText('The turn after it goes too.')).toBeVisible()
  await field.press('Escape')
  await expect(field).toBeHidden()
  await expect(bubbles(page)).toHaveCount(4)

  // By keyboard alone: the row, its buttons, the arrows.
  await row(page, 'say one').focus()
  await row(page, 'say one').getByTestId('message-copy').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(row(page, 'say one').getByTestId('message-edit')).toBeFocused()
  await page.keyboard.press('Enter')
  await field.fill('say three')
  expect(
    (await new AxeBuilder({ page }).include('section[aria-label=Transcript]').analyze()).violations
  ).toEqual([])
  await field.press('ControlOrMeta+Enter')
  for (const tab of [page, other]) {
    await expect(bubbles(tab)).toHaveText(['say three', /three/])
  }
  await page.reload()
  await expect(bubbles(page)).toHaveText(['say three', /three/])
})

test('001-21: a turn is run again, and what would go with it is asked about first', async ({ page }) => {
  await talked(page, 'again', ['say one', 'say two'])
  await row(page, 'say two').hover()
  await row(page, 'say two').getByTestId('message-rerun').click()
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'idle')
  await expect(bubbles(page)).toHaveCount(4)
  await row(page, 'say one').hover()
  await row(page, 'say one').getByTestId('message-rerun').click()
  const dialog = page.getByRole('dialog', { name: 'Run it again from here?' })
  await expect(dialog).toContainText('The turn after it goes too.')
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await expect(bubbles(page)).toHaveCount(4)
  await row(page, 'say one').hover()
  await row(page, 'say one').getByTestId('message-rerun').click()
  await dialog.getByRole('button', { name: 'Run it again' }).click()
  await expect(bubbles(page)).toHaveCount(2)
})

test('001-21: a turn is deleted after a question, with the request that waits in it', async ({ page }) => {
  await talked(page, 'deleted', ['say one'])
  await page.getByRole('textbox', { name: /message/i }).fill('ask me whether tea is fine')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByTestId('ask-question-container')).toBeVisible()
  await expect(
    page.getByTestId('ask-question-submit').or(page.getByTestId('ask-question-option-0')).first()
  ).toBeVisible()
  await row(page, 'ask me whether').first().hover()
  await row(page, 'ask me whether').first().getByTestId('message-delete').click()
  const dialog = page.getByRole('dialog', { name: 'Delete this turn?' })
  await expect(dialog).toContainText('The request that waits goes too.')
  await dialog.getByRole('button', { name: 'Delete the turn' }).click()
  await expect(bubbles(page)).toHaveCount(2)
  await expect(page.getByTestId('ask-question-container')).toHaveCount(0)
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'idle')
})

test('001-21: a branch opens as a session of its own that links back', async ({ page }) => {
  await talked(page, 'stem', ['say one', 'say two'])
  await row(page, 'say one').hover()
  await row(page, 'say one').getByTestId('message-branch').click()
  await page.waitForURL(/\/sessions\/s_/)
  await expect(page.getByTestId('branched-from')).toContainText('Branched from stem')
  await expect(bubbles(page)).toHaveCount(2)
  await expect(
    page.getByRole('button', { name: 'Branch of stem' }).or(page.getByText('Branch of stem')).first()
  ).toBeVisible()
  await page.getByTestId('branched-from').getByRole('link').click()
  await page.waitForURL(/\/sessions\/stem$/)
  await expect(bubbles(page)).toHaveCount(4)
})

test('001-21: an answer is copied as Markdown; where nothing hovers a menu has the same acts', async ({
  browser,
  page
}) => {
  await talked(page, 'copied', ['say one'])
  const storage = await page.context().storageState()
  const phone = await browser.newContext({
    storageState: storage,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    permissions: ['clipboard-read', 'clipboard-write']
  })
  const touch = await phone.newPage()
  await touch.goto(new URL('/sessions/copied', page.url()).href)
  await touch.getByTestId('message-menu').last().tap()
  await touch.getByRole('menuitem', { name: 'Copy answer as Markdown' }).tap()
  const copied = await touch.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(await bubbles(touch).last().textContent())
  await phone.close()
})

test('001-21: a question shows its options, and they vanish once it is answered', async ({ page }) => {
  await talked(page, 'options', [])
  await page.getByRole('textbox', { name: /message/i }).fill('ask me whether tea is fine')
  await page.keyboard.press('ControlOrMeta+Enter')
  const option = page.getByTestId('ask-question-option-0')
  const input = page.getByTestId('ask-question-input')
  await expect(option.or(input).first()).toBeVisible()
  if (await option.count()) await option.click()
  else {
    await input.fill('Yes')
    await page.getByTestId('ask-question-submit').click()
  }
  await expect(page.getByTestId('ask-question-answered')).toBeVisible()
  await expect(page.getByTestId('ask-question-container')).toHaveCount(0)
})

test('001-21: who scrolls up is brought what was said before, and the view stays where it was', async ({
  page
}) => {
  test.slow()
  await talked(page, 'scrolled', [])
  for (let n = 0; n < 70; n++) {
    const sent = await page.request.post('/api/sessions/scrolled/messages', {
      headers: key,
      data: { text: `say number ${n}`, whenBusy: 'queue' }
    })
    expect(sent.status()).toBe(202)
  }
  await expect
    .poll(
      async () => (await (await page.request.get('/api/sessions/scrolled', { headers: key })).json()).status,
      { timeout: 60_000 }
    )
    .toBe('idle')
  await page.goto('/sessions/scrolled')
  await expect(row(page, 'say number 69').first()).toBeVisible()
  await expect(row(page, 'say number 0')).toHaveCount(0)
  const box = page.getByRole('region', { name: 'Transcript' })
  await box.hover()
  // Earlier messages come when the test lets them.
  const held: (() => void)[] = []
  await page.route('**/api/sessions/scrolled?before=*', async route => {
    await new Promise<void>(resolve => held.push(resolve))
    await route.continue()
  })
  /** The first row in sight, and where it stands. */
  const first = () =>
    box.evaluate(element => {
      const { top } = element.getBoundingClientRect()
      const rows = [...element.querySelectorAll<HTMLElement>('[data-row]')]
      const row = rows.find(one => one.getBoundingClientRect().top >= top)
      return { key: row?.dataset.row ?? '', y: row?.getBoundingClientRect().top ?? 0 }
    })
  const height = () => box.evaluate(element => element.scrollHeight)
  // With the last of them the button above goes too, and moves nothing either.
  for (let nth = 0; nth < 2; nth++) {
    await expect(async () => {
      await page.mouse.wheel(0, -300)
      await expect.poll(() => held.length, { timeout: 300 }).toBeGreaterThan(nth)
    }).toPass()
    let before = await first()
    await expect
      .poll(async () => {
        const last = before
        before = await first()
        return before.y - last.y
      })
      .toBe(0)
    const lower = await height()
    held[nth]?.()
    await expect.poll(height).toBeGreaterThan(lower)
    const place = () =>
      box.locator(`[data-row="${before.key}"]`).evaluate(element => element.getBoundingClientRect().top)
    await expect.poll(async () => Math.abs((await place()) - before.y)).toBeLessThan(1)
  }
  await expect(page.getByRole('button', { name: /Earlier messages|Loading earlier/ })).toHaveCount(0)
  await expect(async () => {
    await page.mouse.wheel(0, -4000)
    await expect(
      page
        .locator('[data-row]')
        .filter({ hasText: /^.*say number 0$/ })
        .first()
    ).toBeVisible({ timeout: 300 })
  }).toPass({ timeout: 30_000 })
  await expect(page.getByRole('button', { name: 'Earlier messages' })).toHaveCount(0)
})
