import type { Browser, Page } from '#tests/browser/test.ts'
import type { ServerProcess } from '#tests/support/servers/start-server.ts'

type Context = { page: Page; server: ServerProcess }

/**
 * Creates a session of the sample orders agent and sends this message as the signed-in user. Returns the session ID.
 */
export async function createOrderSession({ page, server }: Context, text: string): Promise<string> {
  const headers = { origin: server.url }
  const post = (path: string, data: object) => page.request.post(path, { data, headers })
  const created = await post('/api/plugins/sessions/operations/create', { agentId: 'acme-clerk' })
  const { sessionId } = (await created.json()).result
  const response = await post(`/api/sessions/${sessionId}/messages`, { text })
  if (response.status() !== 202) throw new Error(`The message was not taken: ${await response.text()}`)
  return sessionId
}

/** Returns a message that makes the demo model ask for an Acme account with this name. */
export const connectionRequest = (slug: string): string =>
  `use request_connection ${JSON.stringify({ integration: 'acme', slug })}`

/** Opens a session that waits for the user. */
export async function openParkedSession(page: Page, sessionId: string): Promise<void> {
  await page.goto(`/sessions/${sessionId}`)
  await page.locator('[data-face=parked]').waitFor()
}

/** Clicks a button of the card and returns the window that it opens. */
export async function openConnectWindow(page: Page, hook = 'connect-account'): Promise<Page> {
  const popup = page.waitForEvent('popup')
  await page.locator('#waits').getByTestId(hook).click()
  return popup
}

/** Signs in at Acme, whose page then asks for consent. */
export async function signInAtAcme(popup: Page): Promise<void> {
  await popup.locator('button[name=person]').first().click()
  await popup.locator('button[value=allow]').waitFor()
}

export const allow = (popup: Page) => popup.locator('button[value=allow]').click()
export const deny = (popup: Page) => popup.locator('button[value=deny]').click()

/**
 * Enters the code from a window at Acme on another device. Returns the page of that device, where Acme asks for
 * consent.
 */
export async function enterCode(browser: Browser, address: string | null): Promise<Page> {
  const phone = await (await browser.newContext()).newPage()
  await phone.goto(address ?? '')
  await phone.locator('button.primary').click()
  await phone.locator('button[name=confirm]').click()
  await signInAtAcme(phone)
  return phone
}

/** Returns the first call of a session from the API. */
export async function callOf(page: Page, sessionId: string) {
  const { calls } = await (await page.request.get(`/api/sessions/${sessionId}`)).json()
  return calls[0]
}
