import type { Browser, Page } from '#tests/browser/test.ts'
import type { TestServer } from '#tests/support/worlds/start-server.ts'

type At = { page: Page; server: TestServer }

/** Creates a session of the sample orders agent, in which the signed-in person writes this. Returns its ID. */
export async function says({ page, server }: At, text: string): Promise<string> {
  const headers = { origin: server.url }
  const post = (path: string, data: object) => page.request.post(path, { data, headers })
  const made = await post('/api/plugins/sessions/operations/create', { agentId: 'acme-clerk' })
  const { sessionId } = (await made.json()).result
  const sent = await post(`/api/sessions/${sessionId}/messages`, { text })
  if (sent.status() !== 202) throw new Error(`The message was not taken: ${await sent.text()}`)
  return sessionId
}

/** What the person writes, so that the demo model asks for an Acme account of this name. */
export const asksFor = (slug: string): string =>
  `use request_connection ${JSON.stringify({ integration: 'acme', slug })}`

/** Opens a session that waits for the person. */
export async function opens(page: Page, sessionId: string): Promise<void> {
  await page.goto(`/sessions/${sessionId}`)
  await page.locator('[data-face=parked]').waitFor()
}

/** Presses one of the card's buttons and returns the window that it opens. */
export async function connects(page: Page, hook = 'connect-account'): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.locator('#waits').getByTestId(hook).click()
  return opened
}

/** Signs in at Acme. Its page then asks for consent. */
export async function signsInAtAcme(popup: Page): Promise<void> {
  await popup.locator('button[name=person]').first().click()
  await popup.locator('button[value=allow]').waitFor()
}

export const allows = (popup: Page) => popup.locator('button[value=allow]').click()
export const denies = (popup: Page) => popup.locator('button[value=deny]').click()

/** Enters the code of a window at Acme, on another device. It returns that device, where Acme asks for consent. */
export async function entersCode(browser: Browser, address: string | null): Promise<Page> {
  const phone = await (await browser.newContext()).newPage()
  await phone.goto(address ?? '')
  await phone.locator('button.primary').click()
  await phone.locator('button[name=confirm]').click()
  await signsInAtAcme(phone)
  return phone
}

/** The first call of a session, as the API has it. */
export async function callOf(page: Page, sessionId: string) {
  const { calls } = await (await page.request.get(`/api/sessions/${sessionId}`)).json()
  return calls[0]
}
