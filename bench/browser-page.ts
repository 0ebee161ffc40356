import { type Browser, chromium, type Page } from '@playwright/test'
import { findChromium } from '#tests/support/browser/chromium.ts'
import type { ServerProcess } from '#tests/support/servers/start-server.ts'

export async function launchChromium(): Promise<Browser> {
  const { executablePath, args } = await findChromium()
  return await chromium.launch({ executablePath, args })
}

/** Creates an empty session of the guide. */
export async function createSession(server: ServerProcess): Promise<string> {
  const response = await fetch(`${server.url}/api/plugins/sessions/operations/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.apiKey}` },
    body: JSON.stringify({ agentId: 'guide' })
  })
  const { result } = (await response.json()) as { result: { sessionId: string } }
  return result.sessionId
}

/** Opens a page and signs in as the local owner. */
export async function signIn(browser: Browser, server: ServerProcess): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(server.link)
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
  return page
}

/**
 * Returns the milliseconds from the start of the navigation until the last row is visible, by the page's clock. For
 * an empty session, until its composer is visible.
 */
export async function openSession(page: Page, server: ServerProcess, sessionId: string): Promise<number> {
  await page.goto(`${server.url}/sessions/${sessionId}`, { waitUntil: 'commit' })
  const readable = await page.waitForFunction(
    () => {
      const [rows, box] = [
        document.querySelectorAll('[data-row]'),
        document.querySelector('section[aria-label=Transcript]')
      ]
      const last = rows[rows.length - 1]?.getBoundingClientRect()
      const end = box?.getBoundingClientRect().bottom ?? 0
      const inSight = last === undefined ? rows.length === 0 : last.height > 0 && last.bottom <= end + 1
      return document.querySelector('[data-composer]') !== null && inSight ? performance.now() : false
    },
    undefined,
    { polling: 'raf' }
  )
  return (await readable.jsonValue()) as number
}

/** Returns a function that reads the CPU time of the page's main thread so far, in milliseconds (thread time). */
export async function mainThread(page: Page): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0)
  }
}
