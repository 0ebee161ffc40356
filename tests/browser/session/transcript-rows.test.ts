import { createExternal, type openSession, sendByApi } from './open.ts'
import { type ExternalSystem, expect, type Page, test } from './test.ts'

const rows = (page: Page) => page.locator('[data-hook="transcript"] li[data-index]')
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })

/** Opens a session of an external agent with this number of messages, the last of which is "Order <count>.". */
async function openOrders(
  { page, api, external }: { page: Page; api: Parameters<typeof openSession>[1]; external: ExternalSystem },
  sessionId: string,
  count: number
) {
  await createExternal(api, sessionId, external)
  await api('POST', '/api/plugins/sessions/operations/create', { agentId: sessionId, sessionId })
  for (let n = 1; n <= count; n++) await sendByApi(api, sessionId, `Order ${n}.`)
  await page.goto(`/sessions/${sessionId}`)
  await expect(row(page, `Order ${count}.`)).toBeVisible()
}

test('001-21: of a long session, only the rows near the visible area are in the page, up to the first message', async ({
  page,
  api,
  external,
  id
}) => {
  const count = 55
  await openOrders({ page, api, external }, id('long'), count)
  // One page has 50 messages.
  await expect.poll(() => rows(page).count()).toBeLessThan(50)
  await page.locator('[data-hook="transcript"]').hover()
  await expect(async () => {
    await page.mouse.wheel(0, -10_000)
    await expect(row(page, 'Order 1.')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  // The delivery of the last message is a row, too.
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', String(count + 1))
  expect(await rows(page).count()).toBeLessThan(50)
  await expect(row(page, `Order ${count}.`)).toHaveCount(0)
})

test("a user's message shows its sender only where the sender changes", async ({ page, api, id }) => {
  const sessionId = id('senders')
  await api('POST', '/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId })
  for (const text of ['say one', 'say two']) await sendByApi(api, sessionId, text)
  await page.goto(`/sessions/${sessionId}`)
  await expect(page.getByTestId('message-bubble').filter({ hasText: 'say two' })).toBeVisible()
  await expect(page.getByTestId('sent-by')).toHaveCount(1)
  await page.locator('[data-composer]').fill('say three')
  await page.locator('[data-composer]').press('Enter')
  const own = page.getByTestId('message-bubble').filter({ hasText: 'say three' })
  await expect(own.getByTestId('sent-by')).toBeVisible()
})

test('001-21: while a reply grows, the rows above it are not rendered again', async ({
  page,
  api,
  external,
  id
}) => {
  await openOrders({ page, api, external }, id('growing'), 5)
  const write = (text: string) => external.reply(text, { 'Waystation-Message': 'r1' })
  await write('One')
  await expect(row(page, 'One')).toBeVisible()
  const before = await renderedProps(page)
  await write(' two')
  await expect(row(page, 'One two')).toBeVisible()
  const after = await renderedProps(page)
  const isSame = await page.evaluate(
    ([before, after]) => before?.map((props, index) => props === after?.[index]),
    [before, after] as const
  )
  expect(isSame).toEqual([true, true, true, true, true, false])
})

/** Returns the props with which React last rendered each row. They are a new object after each render. */
const renderedProps = (page: Page) =>
  page.evaluateHandle(() =>
    [...document.querySelectorAll('[data-hook="transcript"] [data-row]')].map(element => {
      const key = Object.keys(element).find(name => name.startsWith('__reactProps$')) ?? ''
      return (element as unknown as Record<string, unknown>)[key]
    })
  )
