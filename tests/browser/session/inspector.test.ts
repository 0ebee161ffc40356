import { count, inPercent } from '#components/session/wording/context-words.ts'
import { context, deliveries, showSession as show } from './show-session.ts'
import { expect, type Page, test } from './test.ts'

test.use({ viewport: { width: 1280, height: 860 } })

const inspector = (page: Page) => page.getByTestId('inspector')
async function openTab(page: Page, name: string) {
  await page.getByTestId('toggle-inspector').click()
  await inspector(page).getByTestId(`tab-${name}`).click()
}
const row = (page: Page, key: string) => page.locator(`[data-row="${key}"]`)

test('one of two pending requests is canceled alone after a confirmation, in its row or in the Calls tab', async ({
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
  await openTab(page, 'calls')
  await inspector(page)
    .getByRole('listitem')
    .filter({ hasText: 'dispatch-crew' })
    .getByTestId('cancel-wait')
    .click()
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

test('t shows the timeline at full width: a bar marks its row, a click or Enter goes there, and Esc closes it', async ({
  page,
  statesUrl
}) => {
  await show(page, statesUrl, 'both')
  await page.keyboard.press('t')
  const band = page.getByTestId('timeline-band')
  const bar = (id: string) => band.locator(`[data-bar="${id}"]`)
  await bar('call_weather#run').hover()
  await expect(row(page, 'call_weather')).toHaveAttribute('data-marked', 'true')
  const label = (await bar('call_weather#run').getAttribute('aria-label')) ?? ''
  expect(label).toMatch(/river-levels.*2 s.*14:01/)
  await expect(band.getByTestId('bar-facts')).toHaveText(label)
  await bar('call_dispatch#wait').hover()
  await expect(row(page, 'call_weather')).not.toHaveAttribute('data-marked')
  await expect(row(page, 'call_dispatch')).toHaveAttribute('data-marked', 'true')
  await bar('msg_3#0').click()
  await expect(row(page, 'msg_3:1')).toBeFocused()

  await bar('msg_3#0').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(bar('call_dispatch#wait')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(bar('call_weather#run')).toBeFocused()
  await page.keyboard.press('Home')
  await expect(bar('msg_1#0')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(row(page, 'call_question')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(band).toHaveCount(0)
})

test('hovering over a row marks its bars, and every pause in the timeline is 48 px wide', async ({
  page,
  statesUrl
}) => {
  await show(page, statesUrl, 'both')
  await openTab(page, 'timeline')
  const breaks = inspector(page).locator('[data-break]')
  await expect(breaks).toHaveCount(5)
  const widths = await breaks.evaluateAll(elements =>
    elements.map(element => element.getBoundingClientRect().width)
  )
  expect(widths).toEqual([48, 48, 48, 48, 48])
  await row(page, 'call_weather').hover()
  await expect(inspector(page).locator('[data-bar="call_weather#run"]')).toHaveAttribute(
    'data-marked',
    'true'
  )
  await inspector(page).getByTestId('widen-timeline').click()
  await expect(inspector(page)).toHaveCount(0)
  await page.getByTestId('narrow-timeline').click()
  await expect(inspector(page)).toBeVisible()
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
  await expect(rows).toHaveText([/./, /^1.*14:02:05.*503.*5 s/, /^2.*14:03:00.*500.*0\.1 s/])
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
  await expect(tab.getByTestId('context-estimate')).toHaveText(new RegExp(`${count(1652)} .* 1\\.10 .* 73 `))
  await expect(tab).toContainText('- asked for the river levels')
  await expect(tab.getByTestId('earlier-entries')).toContainText('71')
  await expect(tab.getByTestId('still-waiting')).toContainText('dispatch-crew')
  await tab.getByRole('button', { name: /I ask the crew/ }).click()
  await expect(tab.getByRole('region', { name: 'tool' })).toContainText('Still waiting')
})

test('a tab that cannot load shows the reason, and the other tabs work', async ({ page, statesUrl }) => {
  await show(page, statesUrl, 'parked-other')
  await openTab(page, 'context')
  await expect(inspector(page)).toContainText('No such thing.')
  await inspector(page).getByTestId('tab-calls').click()
  await expect(inspector(page).getByTestId('calls')).toBeVisible()
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
