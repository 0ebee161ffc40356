import type { BrowserContext, Page } from '#tests/browser/test.ts'

type Shim = { told: { title: string; click: () => void }[]; away: boolean }
declare global {
  interface Window {
    notices: Shim
  }
}

/** Records the notifications of every page, in place of the browser's own. */
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

/** The person looks at another tab. */
export const leave = (page: Page) =>
  page.evaluate(() => {
    window.notices.away = true
    document.dispatchEvent(new Event('visibilitychange'))
  })

/** The titles of the notifications so far. */
export const noticesOf = (page: Page) => page.evaluate(() => window.notices.told.map(({ title }) => title))
