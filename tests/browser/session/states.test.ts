import { type StateName, states } from '#tests/browser/fixtures/states.ts'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { showState } from './show-state.ts'

const names = Object.keys(states) as StateName[]
/** Parts of the page. Each state has some of them. */
const parts = {
  dock: (page: Page) => page.getByTestId('dock'),
  'card in the dock': (page: Page) => page.locator('[data-call="call_fetch"][data-place="dock"]'),
  'approve, edit and decline': (page: Page) =>
    page
      .getByTestId('dock')
      .getByRole('button')
      .and(page.locator(['approve-call', 'edit-call', 'decline-call'].map(hookIs).join()))
      .nth(2),
  'who may answer': (page: Page) => page.getByTestId('who-may-answer'),
  'card of the external call': (page: Page) =>
    page.getByTestId('transcript').locator('[data-call="call_dispatch"][data-place="inline"]'),
  'cancel wait': (page: Page) => page.getByTestId('cancel-wait'),
  'stop turn': (page: Page) => page.getByTestId('stop-turn'),
  'queued message': (page: Page) =>
    page.getByRole('list').and(page.getByTestId('queued-messages')).getByRole('listitem'),
  'retry turn': (page: Page) => page.getByTestId('retry-turn')
}
const hookIs = (hook: string) => `[data-hook="${hook}"]`

const expectedParts: Record<StateName, (keyof typeof parts)[]> = {
  empty: [],
  running: ['stop turn', 'queued message'],
  parked: ['dock', 'card in the dock', 'approve, edit and decline'],
  'parked-other': ['card of the external call', 'cancel wait'],
  both: ['dock', 'card in the dock', 'approve, edit and decline', 'card of the external call', 'cancel wait'],
  failed: ['retry turn'],
  reconnecting: ['dock', 'card in the dock', 'approve, edit and decline'],
  'not-mine': ['dock', 'card in the dock', 'who may answer']
}

for (const name of names)
  test(`a session in the state ${name} shows its parts and no others`, async ({ page, statesUrl }) => {
    await showState(page, statesUrl, name)
    await expect(page.getByRole('textbox').and(page.locator('[data-composer]'))).toBeEditable()
    await expect(page.getByTestId('message-bubble')).toHaveCount(
      states[name].snapshot.messages.flatMap(({ parts, metadata }) =>
        metadata?.queued === undefined ? parts.filter(({ type }) => type === 'text') : []
      ).length
    )
    for (const [part, locator] of Object.entries(parts))
      await expect(locator(page), part).toHaveCount(
        expectedParts[name].includes(part as keyof typeof parts) ? 1 : 0
      )
  })

if (process.env.WAYSTATION_TEST_LONG)
  for (const theme of ['light', 'dark'] as const)
    for (const width of [1280, 390])
      test.describe(`${theme}, ${width} px`, () => {
        test.use({ colorScheme: theme, viewport: { width, height: width === 390 ? 844 : 860 } })
        test('all eight states match their screenshots', async ({ page, statesUrl }) => {
          test.slow()
          for (const name of names)
            await test.step(name, async () => {
              await showState(page, statesUrl, name)
              const path = ['states', theme, String(width), `${name}.png`]
              await expect.soft(page).toHaveScreenshot(path, { maxDiffPixelRatio: 0.01 })
              await page.unrouteAll({ behavior: 'ignoreErrors' })
            })
        })
      })
