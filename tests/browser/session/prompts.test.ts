import type { KeptPrompt, PromptMessage, PromptState } from '#lib/protocol/prompt.ts'
import { now } from '#tests/browser/fixtures/states.ts'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { looksWell } from '#tests/support/looks-well.ts'
import { serveStates } from '#tests/support/serve-states.ts'

test.use({ viewport: { width: 1280, height: 860 } })

let served: Awaited<ReturnType<typeof serveStates>>
test.beforeAll(async () => {
  served = await serveStates()
})
test.afterAll(() => served.stop())

const said: PromptMessage[] = [
  { role: 'user', content: 'Read the page, please.' },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'web-fetch', input: { url: 'https://a' } }]
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'c',
        toolName: 'web-fetch',
        output: { type: 'text', value: 'A page about <b>crews</b>.' }
      }
    ]
  },
  { role: 'assistant', content: [{ type: 'text', text: 'I have read it.' }] },
  { role: 'user', content: 'And now?' }
]

const states = (messages: number): PromptState[] => [
  { stage: 'instructions', messages: 0, tokens: 400, ms: 0 },
  { stage: 'history', messages: messages + 2, tokens: 2400, summary: true, ms: 1 },
  { stage: 'plugin', plugin: 'quiet', outcome: 'same', messages: messages + 2, tokens: 2400, ms: 0 },
  {
    stage: 'plugin',
    plugin: 'duration-filter',
    outcome: 'changed',
    messages,
    tokens: 900,
    leftOut: ['alarm-clock'],
    ms: 3
  },
  { stage: 'plugin', plugin: 'broken', outcome: 'failed', messages, tokens: 900, ms: 5000 },
  { stage: 'final', messages, tokens: 900, leftOut: ['alarm-clock'], ms: 5005 }
]

/** Three rounds: of one message, of three, of five. */
const rounds = [1, 3, 5].map((messages, n): KeptPrompt => {
  const promptId = 11 + n
  return {
    promptId,
    turnId: n < 2 ? 'turn_one' : 'turn_two',
    messageId: 'msg',
    round: n < 2 ? n + 1 : 1,
    at: new Date(Date.parse(now) - 60_000 * (3 - n)).toISOString(),
    tokens: 1200 + n,
    estimated: 1200,
    states: states(messages),
    instructions: 'Be brief.\n\nSome of your tool calls wait.',
    tools: [
      {
        name: 'web-fetch',
        description: 'Reads a page.',
        inputSchema: { type: 'object', properties: { url: { type: 'string' } } }
      }
    ],
    messages: said.slice(0, messages),
    same: n === 0 ? 0 : messages - 2,
    ...(n === 0 ? {} : { previous: promptId - 1 }),
    ...(n === 2 ? {} : { next: promptId + 1 })
  }
})

/** The session `both`, of which these rounds are kept; what was asked for is returned. */
async function show(page: Page, kept: readonly KeptPrompt[] = rounds, fault?: string) {
  const asked: string[] = []
  await page.route('**/api/**', route => {
    const { pathname, search } = new URL(route.request().url())
    if (pathname.endsWith('/events')) return
    const [, id] = pathname.match(/\/prompts(?:\/(\d+))?$/) ?? [undefined, 'none']
    if (id !== 'none') asked.push(`${id ?? ''}${search}`)
    if (id !== 'none' && fault !== undefined)
      return route.fulfill({ status: 410, json: { error: fault, code: 'EXPIRED' } })
    if (id === undefined) return route.fulfill({ json: { prompts: kept.slice(-1), nextBefore: null } })
    const found = kept.find(({ promptId }) => String(promptId) === id)
    return found === undefined
      ? route.fulfill({ status: 404, json: { error: 'No such thing.', code: 'NOT_FOUND' } })
      : route.fulfill({ json: found })
  })
  await page.clock.setFixedTime(now)
  await page.goto(`${served.url}/?state=both`)
  await page.getByRole('button', { name: 'Inspector' }).click()
  await tab(page).getByRole('tab', { name: 'Prompt' }).click()
  return asked
}

const tab = (page: Page) => page.getByRole('complementary', { name: 'Inspector' })
const heading = (page: Page) => tab(page).getByRole('heading', { name: /^Round / })

test('001-10: the tab shows the newest round: how its prompt was put together, and all of it', async ({
  page
}) => {
  const asked = await show(page)
  await expect(heading(page)).toHaveText(/^Round 1 of turn two · \d\d:\d\d:\d\d$/)
  expect(asked).toEqual(['?limit=1', '13'])
  await expect(tab(page)).toContainText('5 messages · 1,202 tokens, as the provider counted')
  await expect(
    tab(page).getByRole('list', { name: 'How it was put together' }).getByRole('listitem')
  ).toHaveText([
    'Instructions 400 tokens',
    'History 7 messages · the first a summary of what came before · 2,000 tokens',
    'quiet changed nothing',
    'duration-filter 7 → 5 messages, without alarm-clock, 1,500 tokens fewer',
    'broken failed, and stood aside · 5 s',
    'Sent 5 messages · 900 tokens · without alarm-clock'
  ])
  const instructions = tab(page).getByRole('button', { name: /^Instructions/ })
  await expect(instructions).toHaveAttribute('aria-expanded', 'false')
  await instructions.click()
  await expect(tab(page).getByRole('region', { name: 'Instructions' })).toContainText('wait.')
  await tab(page)
    .getByRole('button', { name: /^web-fetch/ })
    .click()
  await expect(tab(page).getByRole('region', { name: 'web-fetch' })).toContainText('"url"')
})

test('001-10: what is new in a round is marked and open; the rest is folded, and unfolds', async ({
  page
}) => {
  await show(page)
  const messages = tab(page).getByRole('list', { name: 'Messages' })
  await expect(messages.getByRole('listitem')).toHaveCount(3)
  await expect(messages.getByRole('button', { name: /new$/ })).toHaveText([
    /^assistantI have read it\.new$/,
    /^userAnd now\?new$/
  ])
  await expect(messages.getByRole('region', { name: 'user' })).toContainText('And now?')
  await messages.getByRole('button', { name: 'The same 3 messages as in the round before' }).click()
  await expect(messages.getByRole('listitem')).toHaveCount(6)
  await messages.getByRole('button', { name: /^tool/ }).click()
  await expect(messages.getByRole('region', { name: 'tool' })).toContainText('A page about <b>crews</b>.')
})

test('001-10: arrows and buttons step from round to round, and stop at the ends', async ({ page }) => {
  await show(page)
  await expect(heading(page)).toContainText('turn two')
  const back = tab(page).getByRole('button', { name: 'The round before', exact: true })
  const on = tab(page).getByRole('button', { name: 'The next round' })
  await expect(on).toHaveAttribute('aria-disabled', 'true')
  await back.click()
  await expect(heading(page)).toContainText('Round 2 of turn one')
  await page.keyboard.press('ArrowLeft')
  await expect(heading(page)).toContainText('Round 1 of turn one')
  await expect(back).toHaveAttribute('aria-disabled', 'true')
  await expect(back).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  await expect(heading(page)).toContainText('Round 2 of turn one')
  // A box that scrolls has the arrows to itself.
  await tab(page).getByRole('region', { name: 'tool' }).focus()
  await page.keyboard.press('ArrowRight')
  await on.focus()
  await expect(heading(page)).toContainText('Round 2 of turn one')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toContainText('Round 1 of turn two')
  await page.keyboard.press('ArrowLeft')
  await tab(page).getByRole('button', { name: 'Newest' }).click()
  await expect(heading(page)).toContainText('Round 1 of turn two')
  await expect(tab(page).getByRole('button', { name: 'Newest' })).toHaveCount(0)
})

test('001-10: it copies as JSON', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await show(page)
  await tab(page).getByRole('button', { name: 'Copy as JSON' }).click()
  await expect(tab(page).getByRole('button', { name: 'Copied' })).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(JSON.parse(copied)).toEqual(rounds[2])
})

test('001-10: it says when nothing is kept yet, and why something cannot be read', async ({ page }) => {
  await show(page, [])
  await expect(tab(page)).toContainText('No round has been kept yet.')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await show(page, [], 'It was removed.')
  await expect(tab(page)).toContainText('The prompt could not be read: It was removed.')
})

test('001-10: it is well in light and dark, on a phone and on a desk', async ({ page }) => {
  await show(page)
  await expect(heading(page)).toBeVisible()
  await tab(page)
    .getByRole('button', { name: /^Instructions/ })
    .click()
  await looksWell(page)
})

test('001-10: a bar of the model in the timeline leads to the prompt of its round', async ({ page }) => {
  const asked = await show(page)
  await tab(page).getByRole('tab', { name: 'Timeline' }).click()
  const bar = tab(page).getByRole('button', { name: /^Model · worked · 14:04/ })
  await expect(tab(page).getByRole('button', { name: 'Its prompt' })).toHaveCount(0)
  await bar.focus()
  asked.length = 0
  await tab(page).getByRole('button', { name: 'Its prompt' }).click()
  await expect(tab(page).getByRole('tab', { name: 'Prompt' })).toHaveAttribute('aria-selected', 'true')
  await expect(heading(page)).toContainText('Round 1 of turn two')
  expect(asked).toEqual(['?limit=200&messageId=msg_3', '13'])
})
