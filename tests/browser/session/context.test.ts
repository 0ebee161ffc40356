import {
  count,
  fillOf,
  fillSentence,
  fullnessWords,
  inPercent
} from '#components/session/wording/context-words.ts'
import { contextFilledTo, showContext as show } from './show-session.ts'
import { expect, type Page, test } from './test.ts'

test.use({ viewport: { width: 1280, height: 860 } })

const meter = (page: Page) => page.getByTestId('context-meter')

test('001-17: the context meter shows no text below its threshold, then a percentage, then a warning, as the context fills', async ({
  page,
  statesUrl
}) => {
  let share = 0.12
  await show(page, statesUrl, () => contextFilledTo(share))
  const expectMeter = async (text: string, fullness: string) => {
    await expect(meter(page)).toHaveAccessibleName(fillSentence(fillOf(contextFilledTo(share))))
    await expect(meter(page)).toHaveText(text)
    await expect(meter(page).locator('svg')).toHaveAttribute('data-fullness', fullness)
    return meter(page).evaluate(button => ({
      color: getComputedStyle(button.querySelector('svg') as SVGElement).color,
      form: button.querySelector('path')?.getAttribute('d')
    }))
  }
  const appearances = [await expectMeter('', 'fine')]
  share = 0.8
  await page.reload()
  await expectMeter(inPercent(share), 'fine')
  share = 0.81
  await page.reload()
  appearances.push(await expectMeter(`${inPercent(share)}${fullnessWords(share)}`, 'warning'))
  share = 0.96
  await page.reload()
  appearances.push(await expectMeter(`${inPercent(share)}${fullnessWords(share)}`, 'danger'))
  // The fullness levels differ in shape and color.
  expect(new Set(appearances.map(({ color }) => color)).size).toBe(3)
  expect(new Set(appearances.map(({ form }) => form)).size).toBe(3)
})

test('001-17: the context meter shows what takes the context, and leads to the Context tab, which lists each part with its size and share', async ({
  page,
  statesUrl
}) => {
  const { requests } = await show(page, statesUrl, () => contextFilledTo(0.6))
  await meter(page).focus()
  await page.keyboard.press('Enter')
  const popover = page.getByTestId('context-popover')
  await expect(popover.getByTestId('context-fill')).toContainText(count(60_000))
  await page.keyboard.press('Escape')
  await expect(meter(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(popover.getByTestId('open-context')).toBeFocused()
  await page.keyboard.press('Enter')
  const tab = page.getByTestId('inspector')
  await expect(tab.getByTestId('tab-context')).toHaveAttribute('aria-selected', 'true')
  await expect(tab.getByTestId('context-fill')).toContainText(inPercent(0.6))
  await expect(tab.getByTestId('context-fill')).toContainText(count(60_000))
  await expect(tab.getByTestId('prompt-parts').getByRole('listitem')).toHaveText(
    fillOf(contextFilledTo(0.6)).parts.map(
      part => `${part.name}${count(part.tokens)}${inPercent(part.share)}`
    )
  )
  await expect(tab.getByTestId('context-estimate')).toContainText('12')
  // The meter requested only the figures, and an idle session sends no further requests.
  await page.clock.fastForward(600_000)
  // Requests before this one have been recorded once it has a response.
  await page.evaluate(() => fetch('/api/nothing').then(response => response.text()))
  expect(requests).toEqual(['?shown=0', ''])
})

test('001-17: the context meter is updated after a turn', async ({ page, statesUrl }) => {
  let share = 0.12
  const { requests, events } = await show(page, statesUrl, () => contextFilledTo(share))
  await expect(meter(page)).toHaveAccessibleName(fillSentence(fillOf(contextFilledTo(share))))
  share = 0.85
  await expect.poll(() => events.length).toBeGreaterThan(0)
  const event = { seq: 1_000_000, type: 'status', status: 'idle', turnId: 'turn_01', outcome: 'done' }
  await events[0]?.fulfill({
    contentType: 'text/event-stream',
    body: `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`
  })
  await expect(meter(page)).toHaveAccessibleName(fillSentence(fillOf(contextFilledTo(share))))
  expect(requests).toEqual(['?shown=0', '?shown=0'])
})

test('001-17: without a limit or figures from the server, there is no context meter', async ({
  page,
  statesUrl
}) => {
  const { contextTokens: _, ...withoutLimit } = contextFilledTo(0.5)
  const { requests } = await show(page, statesUrl, () => withoutLimit)
  await expect.poll(() => requests.length).toBe(1)
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'both')
  await expect(meter(page)).toHaveCount(0)
})

test('001-17: the touch target of the context meter is large enough when it warns', async ({
  page,
  statesUrl
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  let share = 0
  await show(page, statesUrl, () => contextFilledTo(share))
  await expect(page.locator('[data-face]')).toBeVisible()
  // While the context has room, a small screen does not show it.
  await expect(meter(page)).toBeHidden()
  for (share of [0.87, 1.2]) {
    await page.reload()
    await expect(meter(page)).toHaveAccessibleName(fillSentence(fillOf(contextFilledTo(share))))
    const { width = 0, height = 0 } = (await meter(page).boundingBox()) ?? {}
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
  }
})
