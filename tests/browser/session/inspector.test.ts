import { AxeBuilder } from '@axe-core/playwright'
import { answerUrl, now, type StateName } from '#tests/browser/fixtures/states.ts'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { serveStates } from '#tests/support/serve-states.ts'

test.use({ viewport: { width: 1280, height: 860 } })

let served: Awaited<ReturnType<typeof serveStates>>
test.beforeAll(async () => {
  served = await serveStates()
})
test.afterAll(() => served.stop())

/** A state with a server behind it that says what the test wants; what was posted is returned. */
async function show(page: Page, state: StateName, replies: Record<string, unknown> = {}) {
  const posts: string[] = []
  await page.route('**/api/**', route => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    if (request.method() === 'POST') posts.push(pathname)
    if (pathname.endsWith('/events')) return
    if (pathname.endsWith('/link')) return route.fulfill({ json: { answerUrl } })
    const reply = replies[pathname.split('/').at(-1) ?? '']
    return reply === undefined
      ? route.fulfill({ status: 404, json: { error: 'No such thing.', code: 'NOT_FOUND' } })
      : route.fulfill({ json: reply })
  })
  await page.clock.setFixedTime(now)
  await page.goto(`${served.url}/?state=${state}`)
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', state)
  return posts
}

const inspector = (page: Page) => page.getByRole('complementary', { name: 'Inspector' })
async function openTab(page: Page, name: string) {
  await page.getByRole('button', { name: 'Inspector' }).click()
  await inspector(page).getByRole('tab', { name }).click()
}
const row = (page: Page, key: string) => page.locator(`[data-row="${key}"]`)

test('one of two waits is cancelled alone, in its row and in the Calls tab, and asks first', async ({
  page
}) => {
  const posts = await show(page, 'both', { cancel: { toolCallId: 'call_dispatch', state: 'cancelled' } })
  await row(page, 'call_dispatch').getByRole('button', { name: 'Cancel this wait' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this wait?' })
  await expect(dialog).toContainText('An answer of Acme dispatcher that comes later is not used.')
  await page.keyboard.press('Escape')
  expect(posts).toEqual([])
  await openTab(page, 'Calls')
  await inspector(page)
    .getByRole('listitem')
    .filter({ hasText: 'dispatch-crew' })
    .getByRole('button', { name: 'Cancel this wait' })
    .click()
  await dialog.getByRole('button', { name: 'Cancel the wait' }).click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => posts).toEqual(['/api/sessions/both/calls/call_dispatch/cancel'])
})

test('⋯ cancels the only wait there is, and all of them by name where there are more', async ({ page }) => {
  const posts = await show(page, 'parked-other', { cancel: { state: 'cancelled' } })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Cancel this wait' }).click()
  await page.getByRole('button', { name: 'Cancel the wait' }).click()
  await expect.poll(() => posts).toEqual(['/api/sessions/parked-other/calls/call_dispatch/cancel'])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const all = await show(page, 'both', { cancel: { state: 'cancelled' } })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Cancel all 2 waits' }).click()
  await page.getByRole('button', { name: 'Cancel the waits' }).click()
  await expect
    .poll(() => all.toSorted())
    .toEqual(['/api/sessions/both/calls/call_dispatch/cancel', '/api/sessions/both/calls/call_fetch/cancel'])
})

test('who may not change agents is told what the session runs on and offered no build kit', async ({
  page
}) => {
  await show(page, 'both')
  await openTab(page, 'Config')
  await expect(inspector(page)).toContainText('revision')
  await expect(inspector(page).getByRole('form', { name: 'Pin' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Build kit' })).toHaveCount(0)
})

test('t shows the timeline at full width: a bar marks its row, a click and Enter go there, Esc closes it', async ({
  page
}) => {
  await show(page, 'both')
  await page.keyboard.press('t')
  const band = page.getByRole('complementary', { name: 'Timeline' })
  const bar = (name: RegExp) => band.getByRole('button', { name })
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await bar(/^river-levels · ran 2 s · 14:01/).hover()
  await expect(row(page, 'call_weather')).toHaveAttribute('data-marked', 'true')
  await expect(band.getByText('river-levels · ran 2 s · 14:01')).toBeVisible()
  await bar(/^Acme dispatcher · waits for another system 4 min/).hover()
  await expect(row(page, 'call_weather')).not.toHaveAttribute('data-marked')
  await expect(row(page, 'call_dispatch')).toHaveAttribute('data-marked', 'true')
  await bar(/^Model · worked · 14:04/).click()
  await expect(row(page, 'msg_3:1')).toBeFocused()

  await bar(/^Model · worked · 14:04/).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.locator(':focus')).toHaveAccessibleName(/^Acme dispatcher/)
  await page.keyboard.press('ArrowUp')
  await expect(page.locator(':focus')).toHaveAccessibleName(/^river-levels/)
  await page.keyboard.press('Home')
  await expect(page.locator(':focus')).toHaveAccessibleName(/^Model · worked 6 s · 13:55/)
  await page.keyboard.press('Enter')
  await expect(row(page, 'call_question')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(band).toHaveCount(0)
})

test('a row under the pointer marks its bars, and every pause in the timeline is 48 px wide', async ({
  page
}) => {
  await show(page, 'both')
  await openTab(page, 'Timeline')
  const widths = await inspector(page)
    .getByText(/^A (wait|pause) of/)
    .evaluateAll(labels => labels.map(label => label.closest('[data-break]')?.getBoundingClientRect().width))
  expect(widths).toEqual([48, 48, 48, 48, 48])
  await row(page, 'call_weather').hover()
  await expect(inspector(page).locator('[data-bar="call_weather#run"]')).toHaveAttribute(
    'data-marked',
    'true'
  )
  await inspector(page).getByRole('button', { name: 'Full width' }).click()
  await expect(inspector(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Beside the session' }).click()
  await expect(inspector(page)).toBeVisible()
})

const refused = { at: '2026-03-12T14:02:05.000Z', ms: 5000, status: 503, error: 'It answered 503.' }
const deliveries = [
  {
    id: 'dlv_1',
    toolCallId: 'call_dispatch',
    kind: 'call.opened',
    to: 'https://acme.example/••••',
    state: 'pending',
    attempts: [refused, { ...refused, at: '2026-03-12T14:03:00.000Z', ms: 120, status: 500 }],
    retries: 3,
    createdAt: '2026-03-12T14:02:00.000Z',
    nextAt: '2026-03-12T14:08:00.000Z'
  }
]

test('a delivery that is not accepted is said in the header and the row, and told try by try in its tab', async ({
  page
}) => {
  await show(page, 'parked-other', { deliveries: { deliveries } })
  await expect(page.locator('[data-face]')).toHaveText('Acme dispatcher did not accept it: 500 after 0.1 s')
  await expect(row(page, 'call_dispatch').locator('[data-toggle]')).toContainText('did not accept it: 500')
  await expect(row(page, 'call_dispatch')).toContainText('It is tried again at 14:08.')
  await openTab(page, 'Deliveries')
  const rows = inspector(page).getByRole('row')
  await expect(rows).toHaveText([/^Attempt/, /^1.*14:02:05.*503.*5 s/, /^2.*14:03:00.*500.*0\.1 s/])
  await expect(inspector(page)).toContainText('Next try 14:08, 2 left.')
})

const message = (role: string, content: unknown) => ({ role, content })
const context = {
  tokens: 1234,
  entries: 73,
  breakdown: {
    system: 200,
    tools: 210,
    summary: 8,
    user: 234,
    assistant: 600,
    toolResults: 400,
    outOfBand: 0
  },
  estimated: 1652,
  corrected: 1817,
  ratio: 1.1,
  contextTokens: 120_000,
  instructionsTokens: 210,
  summary: { text: '- asked for the river levels', tokens: 8 },
  shown: [
    {
      id: 1,
      kind: 'user',
      tokens: 12,
      stillWaiting: [],
      messages: [message('user', 'Send somebody to look.')]
    },
    {
      id: 2,
      kind: 'step',
      tokens: 80,
      stillWaiting: [{ toolCallId: 'call_dispatch', toolName: 'dispatch-crew', answered: false }],
      messages: [
        message('assistant', [
          { type: 'text', text: 'I ask the crew.' },
          { type: 'tool-call', toolName: 'dispatch-crew' }
        ]),
        message('tool', [{ type: 'tool-result', output: { type: 'text', value: 'Still waiting' } }])
      ]
    }
  ]
}

test('the Context tab shows what the model is shown: sizes, summary, what is left out and what is still waiting', async ({
  page
}) => {
  await show(page, 'parked-other', { context })
  await openTab(page, 'Context')
  const tab = inspector(page)
  await expect(tab).toContainText('1,817 of 120,000 tokens, 1 %')
  await expect(tab).toContainText('1,652 by its length, times 1.10 as the provider counted · 73 entries')
  await expect(tab).toContainText('- asked for the river levels')
  await expect(tab).toContainText('71 earlier entries')
  await expect(tab).toContainText('dispatch-crew is “still waiting” here; its answer will come later.')
  await tab.getByRole('button', { name: /I ask the crew/ }).click()
  await expect(tab.getByRole('region', { name: 'tool' })).toContainText('Still waiting')
})

test('a tab that cannot be read says why, and the others go on', async ({ page }) => {
  await show(page, 'parked-other')
  await openTab(page, 'Context')
  await expect(inspector(page)).toContainText('The context could not be read: No such thing.')
  await inspector(page).getByRole('tab', { name: 'Calls' }).click()
  await expect(inspector(page).getByRole('list', { name: 'Calls' })).toBeVisible()
})

for (const theme of ['light', 'dark'] as const)
  for (const width of [1280, 390])
    test.describe(`${theme}, ${width} px`, () => {
      test.use({ colorScheme: theme, viewport: { width, height: width === 390 ? 844 : 860 } })
      test('every tab of the inspector is accessible and never makes the page scroll sideways', async ({
        page
      }) => {
        await show(page, 'both', { deliveries: { deliveries }, context })
        await page.getByRole('button', { name: 'Inspector' }).click()
        for (const tab of await inspector(page).getByRole('tab').all()) {
          await tab.click()
          const name = (await tab.textContent()) ?? ''
          expect.soft((await new AxeBuilder({ page }).analyze()).violations, name).toEqual([])
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), name).toBe(0)
        }
      })
    })
