import { count, inPercent } from '#components/session/wording/context-words.ts'
import { context, deliveries, showSession as show } from './show-session.ts'
import { expect, type Page, test } from './test.ts'

test.use({ viewport: { width: 1280, height: 860 } })

const inspector = (page: Page) => page.getByTestId('inspector')
async function openTab(page: Page, name: string) {
  await page.getByTestId('toggle-inspector').click()
  await inspector(page).getByTestId(`tab-${name}`).click()
}
const traceRow = (page: Page, id: string) => page.locator(`[data-trace="${id}"]`)
const row = (page: Page, key: string) => page.locator(`[data-row="${key}"]`)

test('one of two pending requests is canceled alone after a confirmation, in its row or in the trace', async ({
  page,
  statesUrl
}) => {
  const posts = await show(page, statesUrl, 'both', {
    cancel: { toolCallId: 'call_dispatch', state: 'cancelled' }
  })
  await row(page, 'call_dispatch').getByTestId('cancel-wait').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Acme dispatcher')
  await page.keyboard.press('Escape')
  expect(posts).toEqual([])
  await openTab(page, 'trace')
  await traceRow(page, 'call_dispatch').click()
  await inspector(page).getByTestId('cancel-wait').click()
  await dialog.getByTestId('confirm').click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => posts).toEqual(['/api/sessions/both/calls/call_dispatch/cancel'])
})

test('the session menu cancels the only pending request, or lists all of them if there are several', async ({
  page,
  statesUrl
}) => {
  const posts = await show(page, statesUrl, 'parked-other', { cancel: { state: 'cancelled' } })
  await page.getByTestId('session-menu').click()
  await page.getByTestId('cancel-waits').click()
  await page.getByTestId('confirm').click()
  await expect.poll(() => posts).toEqual(['/api/sessions/parked-other/calls/call_dispatch/cancel'])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const allPosts = await show(page, statesUrl, 'both', { cancel: { state: 'cancelled' } })
  await page.getByTestId('session-menu').click()
  await page.getByTestId('cancel-waits').click()
  await page.getByTestId('confirm').click()
  await expect
    .poll(() => allPosts.toSorted())
    .toEqual(['/api/sessions/both/calls/call_dispatch/cancel', '/api/sessions/both/calls/call_fetch/cancel'])
})

test('a user who cannot edit agents sees the config of the session, but cannot switch the build kit', async ({
  page,
  statesUrl
}) => {
  await show(page, statesUrl, 'both')
  await openTab(page, 'config')
  await expect(inspector(page).getByTestId('session-facts')).toContainText('field-guide')
  await expect(inspector(page).getByTestId('pin')).toBeVisible()
  await expect(page.getByTestId('build-kit')).toBeDisabled()
  await expect(page.getByTestId('kit-chip')).toHaveCount(0)
})

test('t shows the trace at full width in place of the transcript: a row opens its details and leads there, and Esc closes both', async ({
  page,
  statesUrl
}) => {
  await show(page, statesUrl, 'both')
  await page.keyboard.press('t')
  const band = page.getByTestId('trace-band')
  const detail = band.getByTestId('trace-detail')
  await traceRow(page, 'call_weather').click()
  await expect(page.getByTestId('transcript')).toHaveCount(0)
  await expect(detail.getByRole('region', { name: 'Input' })).toContainText('Lower weir')
  await expect(detail.getByRole('region', { name: 'Output' })).toContainText('rising')
  await detail.getByTestId('show-row').click()
  await expect(row(page, 'call_weather')).toBeFocused()
  await expect(band).toHaveCount(0)
  await page.keyboard.press('t')
  await traceRow(page, 'call_weather').click()
  await band.getByTestId('close-detail').click()
  await expect(detail).toHaveCount(0)
  await expect(band.getByRole('tree')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(detail).toHaveAttribute('data-of', 'call_weather')
  await page.keyboard.press('Escape')
  await expect(detail).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(band).toHaveCount(0)
})

test('the trace is a tree for the keyboard: arrows move and fold, Home and End go to the ends', async ({
  page,
  statesUrl
}) => {
  await show(page, statesUrl, 'both')
  await openTab(page, 'trace')
  const tree = inspector(page).getByRole('tree')
  const expectActive = (id: string) => expect(page.locator('[data-active]')).toHaveAttribute('data-trace', id)
  await tree.focus()
  await page.keyboard.press('Home')
  await expectActive('msg_0')
  await expect(traceRow(page, 'msg_0')).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('ArrowRight')
  await expect(traceRow(page, 'msg_0')).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowRight')
  await expectActive('msg_1#0')
  await expect(traceRow(page, 'msg_1#0')).toHaveAttribute('aria-level', '2')
  await page.keyboard.press('ArrowDown')
  await expectActive('call_question')
  await page.keyboard.press('ArrowLeft')
  await expect(traceRow(page, 'call_question')).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('ArrowLeft')
  await expectActive('msg_1#0')
  await page.keyboard.press('End')
  await expectActive('msg_3#0')
  await page.keyboard.press('Enter')
  await expect(inspector(page).getByTestId('trace-detail')).toHaveAttribute('data-of', 'msg_3#0')
  await page.keyboard.press('ArrowUp')
  await expect(inspector(page).getByTestId('trace-detail')).toHaveAttribute('data-of', 'msg_b')
})

test('hovering over a row of the transcript or of the trace marks the other, and the filter finds text', async ({
  page,
  statesUrl
}) => {
  await show(page, statesUrl, 'both')
  await openTab(page, 'trace')
  await row(page, 'call_weather').hover()
  await expect(traceRow(page, 'call_weather')).toHaveAttribute('data-marked', 'true')
  await traceRow(page, 'call_dispatch#wait').hover()
  await expect(row(page, 'call_weather')).not.toHaveAttribute('data-marked')
  await expect(row(page, 'call_dispatch')).toHaveAttribute('data-marked', 'true')
  await inspector(page).getByTestId('trace-filter').fill('2.04')
  await expect(page.locator('[data-trace]')).toHaveCount(3)
  await inspector(page).getByTestId('widen-trace').click()
  await expect(inspector(page)).toHaveCount(0)
  await page.getByTestId('narrow-trace').click()
  await expect(inspector(page)).toBeVisible()
})

test('the panel is resized with the pointer and the arrow keys, and keeps its width', async ({
  page,
  statesUrl
}) => {
  await show(page, statesUrl, 'both')
  await openTab(page, 'trace')
  const handle = inspector(page).getByRole('separator')
  const expectWidth = async (width: number) => {
    await expect(handle).toHaveAttribute('aria-valuenow', String(width))
    expect(await inspector(page).evaluate(element => element.getBoundingClientRect().width)).toBe(width)
  }
  await handle.focus()
  await page.keyboard.press('ArrowLeft')
  await expectWidth(500)
  await handle.hover()
  await page.mouse.down()
  await page.mouse.move(100, 400)
  await page.mouse.up()
  await expectWidth(800)
  await page.reload()
  await openTab(page, 'trace')
  await expectWidth(800)
})

test('a failed delivery is shown in the header and the row, and its tab lists each attempt', async ({
  page,
  statesUrl
}) => {
  await show(page, statesUrl, 'parked-other', { deliveries: { deliveries } })
  await expect(page.locator('[data-face]')).toHaveText(/Acme dispatcher .*500 .*0\.1 s/)
  await expect(row(page, 'call_dispatch').locator('[data-toggle]')).toContainText('500')
  await expect(row(page, 'call_dispatch')).toContainText('14:08')
  await openTab(page, 'deliveries')
  const rows = inspector(page).getByRole('row')
  await expect(rows).toHaveText([/./, /14:02:05.*503.*5 s/, /14:03:00.*500.*0\.1 s/])
  await expect(inspector(page).getByTestId('next-attempt')).toContainText(/14:08.* 2 /)
})

test('the Context tab shows the prompt: sizes, summary, omitted entries and pending calls', async ({
  page,
  statesUrl
}) => {
  await show(page, statesUrl, 'parked-other', { context })
  await openTab(page, 'context')
  const tab = inspector(page)
  await expect(tab.getByTestId('context-fill')).toContainText(count(1817))
  await expect(tab.getByTestId('context-fill')).toContainText(inPercent(0.0151))
  await expect(tab.getByTestId('context-estimate')).toHaveText(new RegExp(`^73 .*${count(1652)} .* 1\\.10 `))
  await expect(tab).toContainText('- asked for the river levels')
  await expect(tab.getByTestId('earlier-entries')).toContainText('71')
  await expect(tab.getByTestId('still-waiting')).toContainText('dispatch-crew')
  await tab.getByRole('button', { name: /I ask the crew/ }).click()
  await expect(tab.getByRole('region', { name: 'dispatch-crew output' })).toContainText('Still waiting')
})

test('a tab that cannot load shows the reason, and the other tabs work', async ({ page, statesUrl }) => {
  await show(page, statesUrl, 'parked-other')
  await openTab(page, 'context')
  await expect(inspector(page)).toContainText('No such thing.')
  await inspector(page).getByTestId('tab-trace').click()
  await expect(traceRow(page, 'call_dispatch')).toBeVisible()
})

test.describe('without its code, as after a deploy', () => {
  test.use({ allowedError: /Failed to load resource|dynamically imported module/ })

  test('the inspector says that it was not loaded, and the session can still be answered', async ({
    page,
    statesUrl
  }) => {
    const posts = await show(page, statesUrl, 'both', {
      cancel: { toolCallId: 'call_dispatch', state: 'cancelled' }
    })
    await page.route('**/*.js', route => route.abort())
    await page.getByTestId('toggle-inspector').click()
    await expect(page.getByTestId('part-not-loaded')).toBeVisible()
    await row(page, 'call_dispatch').getByTestId('cancel-wait').click()
    await page.getByRole('dialog').getByTestId('confirm').click()
    await expect.poll(() => posts).toEqual(['/api/sessions/both/calls/call_dispatch/cancel'])
  })
})
