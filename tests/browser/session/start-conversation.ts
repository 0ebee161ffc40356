import { type Api, expect, type Page } from '#tests/browser/test.ts'
import { startSession, typeMessage } from './start-session.ts'

export const bubbles = (page: Page) => page.getByTestId('message-bubble')

/** Returns the row of the message with this text. */
export const row = (page: Page, text: string | RegExp) => page.locator('[data-row]').filter({ hasText: text })

/** Opens a session in which these messages were sent and answered. */
export async function startConversation(page: Page, api: Api, sessionId: string, messages: string[]) {
  await startSession(page, api, sessionId)
  for (const [n, text] of messages.entries()) {
    await typeMessage(page, text)
    await expect(bubbles(page).and(page.locator('[data-role="assistant"]'))).toHaveCount(n + 1)
    await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'idle')
  }
}
