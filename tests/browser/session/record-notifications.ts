import type { BrowserContext, Page } from '#tests/browser/test.ts'

type Shim = { told: { title: string; click: () => void }[]; away: boolean }
declare global {
  interface Window {
    notices: Shim
  }
}

/** Replaces the notifications of the browser in every page and records them. */
export async function recordNotices(context: BrowserContext) {
  await context.grantPermissions(['notifications'])
  await context.addInitScript(() => {
    const shim: Shim = { told: [], away: false }
    window.notices = shim
    class Recorded {
      static permission = 'granted'
      onclick: (() => void) | null = null
      constructor(title: string) {
        shim.told.push({ title, click: () => this.onclick?.() })
      }
      close() {}
    }
    Object.assign(window, { Notification: Recorded })
    Object.defineProperty(document, 'visibilityState', { get: () => (shim.away ? 'hidden' : 'visible') })
  })
}

/** Simulates that the user looks at another tab. */
export const leave = (page: Page) =>
  page.evaluate(() => {
    window.notices.away = true
    document.dispatchEvent(new Event('visibilitychange'))
  })

/** Returns the titles of the notifications so far. */
export const noticesOf = (page: Page) => page.evaluate(() => window.notices.told.map(({ title }) => title))
