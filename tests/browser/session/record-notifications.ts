import type { BrowserContext, Page } from '#tests/browser/test.ts'

type Shim = { shown: { title: string; click: () => void }[]; away: boolean }
declare global {
  interface Window {
    notices: Shim
  }
}

/** Replaces the notifications of the browser in every page and records them. */
export async function recordNotifications(context: BrowserContext) {
  await context.grantPermissions(['notifications'])
  await context.addInitScript(() => {
    const shim: Shim = { shown: [], away: false }
    window.notices = shim
    class Recorded {
      static permission = 'granted'
      onclick: (() => void) | null = null
      constructor(title: string) {
        shim.shown.push({ title, click: () => this.onclick?.() })
      }
      close() {}
    }
    Object.assign(window, { Notification: Recorded })
    Object.defineProperty(document, 'visibilityState', { get: () => (shim.away ? 'hidden' : 'visible') })
  })
}

/** Simulates that the user looks at another tab. */
export const hideTab = (page: Page) =>
  page.evaluate(() => {
    window.notices.away = true
    document.dispatchEvent(new Event('visibilitychange'))
  })

/** Returns the titles of the notifications so far. */
export const notificationTitles = (page: Page) =>
  page.evaluate(() => window.notices.shown.map(({ title }) => title))
