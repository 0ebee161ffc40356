import { type Api, expect, type Page, test } from '#tests/browser/test.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { act, bubbles, row, startConversation } from './start-conversation.ts'
import { startSession, typeMessage } from './start-session.ts'

const answerCard = (page: Page) => page.getByTestId('ask-question-container')

const press = (page: Page, text: string, action: 'edit' | 'rerun' | 'branch' | 'delete') =>
  act(row(page, text).first(), action)

test('001-21: a message is edited in place: Esc cancels, ⌘↵ sends, and a second tab and a reload show the result', async ({
  page,
  context,
  api,
  id
}) => {
  const sessionId = id('edited')
  await startConversation(page, api, sessionId, ['say one', 'say two'])
  const other = await context.newPage()
  await other.goto(`/sessions/${sessionId}`)
  await press(page, 'say one', 'edit')
  const field = page.getByTestId('message-edit-input')
  await expect(field).toBeFocused()
  await field.press('Escape')
  await expect(field).toBeHidden()
  await expect(bubbles(page)).toHaveCount(4)

  // With the keyboard alone: the row, its buttons, the arrow keys.
  await row(page, 'say one').focus()
  await row(page, 'say one').getByTestId('message-copy').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(row(page, 'say one').getByTestId('message-edit')).toBeFocused()
  await page.keyboard.press('Enter')
  await field.fill('say three')
  await field.press('ControlOrMeta+Enter')
  for (const tab of [page, other]) await expect(bubbles(tab)).toHaveText(['say three', /three/])
  await page.reload()
  await expect(bubbles(page)).toHaveText(['say three', /three/])
})

test('001-21: a turn is run again, after a confirmation if that removes later turns', async ({
  page,
  api,
  id
}) => {
  await startConversation(page, api, id('again'), ['say one', 'say two'])
  // The session will look the same, but the element of the reply is a new one.
  await bubbles(page)
    .last()
    .evaluate(bubble => bubble.setAttribute('data-earlier', ''))
  await press(page, 'say two', 'rerun')
  await expect(page.locator('[data-earlier]')).toHaveCount(0)
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'idle')
  await expect(bubbles(page)).toHaveCount(4)
  await press(page, 'say one', 'rerun')
  const dialog = page.getByRole('dialog')
  await dialog.getByTestId('dismiss').click()
  await expect(bubbles(page)).toHaveCount(4)
  await press(page, 'say one', 'rerun')
  await dialog.getByTestId('confirm').click()
  await expect(bubbles(page)).toHaveCount(2)
})

test('001-21: the actions on a message are below it and cover no other message', async ({
  page,
  api,
  id
}) => {
  await startConversation(page, api, id('covered'), ['say one', 'say two'])
  const texts = async () => {
    const boxes = await bubbles(page).evaluateAll(all =>
      all.map(bubble => (bubble.querySelector('p') ?? bubble).getBoundingClientRect())
    )
    return boxes.map(({ top, bottom }) => ({ top, bottom }))
  }
  for (const index of [0, 1, 2]) {
    await bubbles(page).nth(index).hover()
    const actions = await page.locator('[data-hook="message-actions"]').nth(index).boundingBox()
    const before = await texts()
    expect(actions?.y).toBeGreaterThanOrEqual(before[index]?.bottom ?? 0)
    await expect(page.getByTestId('message-actions').nth(index).locator('> button')).toHaveCount(4)
    expect((actions?.y ?? 0) + (actions?.height ?? 0)).toBeLessThanOrEqual(before[index + 1]?.top ?? 0)
  }
})

test('001-21: a turn is deleted after a confirmation, together with its pending request', async ({
  page,
  api,
  id
}) => {
  await startConversation(page, api, id('deleted'), ['say one'])
  await typeMessage(page, demo.askWhether('tea is fine'))
  await expect(answerCard(page)).toBeVisible()
  await press(page, demo.askWhether('tea is fine'), 'delete')
  await page.getByRole('dialog').getByTestId('confirm').click()
  await expect(bubbles(page)).toHaveCount(2)
  await expect(answerCard(page)).toHaveCount(0)
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'idle')
})

test('001-21: a branch opens as a new session that links back', async ({ page, api, id }) => {
  const sessionId = id('stem')
  await startConversation(page, api, sessionId, ['say one', 'say two'])
  await press(page, 'say one', 'branch')
  await page.waitForURL(/\/sessions\/s_/)
  await expect(page.getByTestId('branched-from')).toContainText(sessionId)
  await expect(bubbles(page)).toHaveCount(2)
  await page.getByTestId('branched-from').getByRole('link').click()
  await page.waitForURL(`**/sessions/${sessionId}`)
  await expect(bubbles(page)).toHaveCount(4)
})

test.describe('on a touch screen', () => {
  test.use({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    permissions: ['clipboard-read', 'clipboard-write']
  })

  test('001-21: a menu has the same actions, and a reply is copied as Markdown', async ({
    page,
    api,
    id
  }) => {
    await startConversation(page, api, id('copied'), ['say one'])
    await page.getByTestId('message-menu').last().tap()
    await page.getByTestId('message-copy').tap()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await expect.poll(copied).toBe(await bubbles(page).last().textContent())
  })
})

test('001-21: a question shows its options, which disappear once it is answered', async ({
  page,
  api,
  id
}) => {
  await startSession(page, api, id('options'))
  await typeMessage(page, demo.askWhether('tea is fine'))
  await page.getByTestId('ask-question-option-0').click()
  await expect(page.getByTestId('ask-question-answered')).toBeVisible()
  await expect(answerCard(page)).toHaveCount(0)
})

test('001-20: a number key answers a question, Undo takes the answer back, and after a reload it is not lost', async ({
  page,
  api,
  id
}) => {
  const sessionId = id('undo')
  await startSession(page, api, sessionId)
  await typeMessage(page, demo.askToChoose('tea', 'coffee'))
  const answered = async () =>
    (await api<{ calls: { state: string }[] }>('GET', `/api/sessions/${sessionId}`)).calls.map(
      ({ state }) => state
    )
  const first = page.getByTestId('dock').getByTestId('ask-question-option-0')
  await first.focus()
  await page.keyboard.press('2')
  const undo = page.getByTestId('dock').getByTestId('undo-answer')
  await expect(undo).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(first).toBeFocused()
  expect(await answered()).toEqual(['open'])
  // In the text field, a digit is text.
  await page.getByTestId('ask-question-input').fill('1')
  await expect(first).toBeVisible()
  await page.getByTestId('ask-question-input').fill('')
  await first.click()
  await expect(undo).toBeVisible()
  await page.reload()
  await expect(page.getByTestId('ask-question-answered')).toBeVisible()
  await expect(page.getByTestId('transcript')).toContainText('“tea”')
})

/** Opens a session of 70 turns. */
async function openLong(page: Page, api: Api, sessionId: string) {
  await api('POST', '/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId })
  for (let n = 0; n < 70; n++)
    await api('POST', `/api/sessions/${sessionId}/messages`, { text: `say number ${n}`, whenBusy: 'queue' })
  const status = async () => (await api<{ status: string }>('GET', `/api/sessions/${sessionId}`)).status
  await expect.poll(status, { timeout: 60_000 }).toBe('idle')
  await page.goto(`/sessions/${sessionId}`)
  await expect(row(page, 'say number 69').first()).toBeVisible()
}

test('001-21: a list of the messages of users leads to turns that are not loaded yet', async ({
  page,
  api,
  id
}) => {
  test.slow()
  await openLong(page, api, id('navigated'))
  await expect(row(page, 'say number 0')).toHaveCount(0)
  await page.getByTestId('turn-navigator').click()
  await expect(page.getByTestId('turn')).toHaveCount(70)
  await expect(page.getByTestId('turn').first()).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(row(page, /^.*say number 0$/).first()).toBeFocused()
  await expect(row(page, /^.*say number 0$/).first()).toBeInViewport()
})

test('001-21: scrolling up loads earlier messages without moving the view', async ({ page, api, id }) => {
  test.slow()
  const sessionId = id('scrolled')
  await openLong(page, api, sessionId)
  await expect(row(page, 'say number 0')).toHaveCount(0)
  const box = page.getByTestId('transcript')
  await box.hover()
  // The test controls when earlier messages arrive.
  const pending: (() => void)[] = []
  await page.route(`**/api/sessions/${sessionId}?before=*`, async route => {
    await new Promise<void>(resolve => pending.push(resolve))
    await route.continue()
  })
  /** Returns the first visible row and its vertical position. */
  const firstVisibleRow = () =>
    box.evaluate(element => {
      const { top } = element.getBoundingClientRect()
      const rows = [...element.querySelectorAll<HTMLElement>('[data-row]')]
      const row = rows.find(candidate => candidate.getBoundingClientRect().top >= top)
      return { key: row?.dataset.row ?? '', y: row?.getBoundingClientRect().top ?? 0 }
    })
  const height = () => box.evaluate(element => element.scrollHeight)
  // The button above disappears with the last messages, and must not move the view either.
  for (let index = 0; index < 2; index++) {
    await expect(async () => {
      await page.mouse.wheel(0, -300)
      await expect.poll(() => pending.length, { timeout: 300 }).toBeGreaterThan(index)
    }).toPass()
    let before = await firstVisibleRow()
    await expect
      .poll(async () => {
        const last = before
        before = await firstVisibleRow()
        return before.y - last.y
      })
      .toBe(0)
    const heightBefore = await height()
    pending[index]?.()
    await expect.poll(height).toBeGreaterThan(heightBefore)
    const currentTop = () =>
      box.locator(`[data-row="${before.key}"]`).evaluate(element => element.getBoundingClientRect().top)
    await expect.poll(async () => Math.abs((await currentTop()) - before.y)).toBeLessThan(1)
  }
  await expect(page.getByTestId('load-earlier')).toHaveCount(0)
  await expect(async () => {
    await page.mouse.wheel(0, -4000)
    await expect(row(page, /^.*say number 0$/).first()).toBeVisible({ timeout: 300 })
  }).toPass({ timeout: 30_000 })
  await expect(page.getByTestId('load-earlier')).toHaveCount(0)
  await page.getByTestId('to-latest').click()
  await expect(row(page, 'say number 69').first()).toBeVisible()
  await expect(page.getByTestId('to-latest')).toHaveCount(0)
})
