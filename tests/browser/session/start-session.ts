import type { Api, Page } from '#tests/browser/test.ts'

/** Creates a session and opens its page. Its title is its ID, so that tests find it in lists. */
export async function startSession(page: Page, api: Api, sessionId: string, agentId = 'guide') {
  await api('POST', '/api/plugins/sessions/operations/create', { agentId, sessionId, title: sessionId })
  await page.goto(`/sessions/${sessionId}`)
}

/** Sends a message with the keyboard. */
export async function typeMessage(page: Page, text: string) {
  await page.locator('[data-composer]').fill(text)
  await page.keyboard.press('ControlOrMeta+Enter')
}
