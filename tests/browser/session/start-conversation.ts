import { type Api, expect, type Locator, type Page } from '#tests/browser/test.ts'
import { startSession, typeMessage } from './start-session.ts'

export const bubbles = (page: Page) => page.getByTestId('message-bubble')

/** Returns the row of the message with this text. */
export const row = (page: Page, text: string | RegExp) => page.locator('[data-row]').filter({ hasText: text })

/** Clicks an action on the turn of a row: a button, or an item of the menu beside the buttons. */
export async function act(row: Locator, action: string) {
  await row.hover()
  const target = row.getByTestId(`message-${action}`)
  if ((await target.count()) === 0) await row.getByTestId('message-menu').click()
  await target.click()
}

/** Opens a session in which these messages were sent and answered. */
export async function startConversation(page: Page, api: Api, sessionId: string, messages: string[]) {
  await startSession(page, api, sessionId)
  for (const [n, text] of messages.entries()) {
    await typeMessage(page, text)
    await expect(bubbles(page).and(page.locator('[data-role="assistant"]'))).toHaveCount(n + 1)
    await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'idle')
  }
}
