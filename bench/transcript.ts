import type { Browser, Page } from '@playwright/test'
import type { Message } from '@waystation/protocol/session/message.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { connect } from '#db/client.ts'
import { type ServerProcess, startServer } from '#tests/support/servers/start-server.ts'
import { createSession, launchChromium, mainThread, openSession, signIn } from './browser-page.ts'
import { longSession } from './long-session.ts'

/** The number of times that each session is opened, alternately the long and the empty one. */
const openings = 6
/** The distance that each frame scrolls, in CSS pixels: about as fast as a fast spin of a mouse wheel. */
const step = 400
/** Scrolling stops after this many frames, about 40 seconds, and 4,000 messages. */
const maxFrames = 2_400

/** Milliseconds: from a navigation until the last message is visible, and from one frame to the next. */
export type Scrolled = {
  opened: { long: number[]; empty: number[] }
  /** `bare` is a page with the same text and nothing else. */
  frames: { long: Frames; bare: Frames }
  /** The number of messages that were visible while scrolling up. */
  seen: number
}

/** The duration of each frame in milliseconds, and the average CPU time of the page's main thread per frame. */
type Frames = { durations: number[]; cpu: number }

/**
 * Measures the transcript of a session of 10,000 messages in headless Chromium, on the real server with its pages.
 * It measures the time until the last message is visible; the baseline is an empty session's composer. It also
 * measures the frame times while it scrolls up and the page fetches earlier messages. The baseline,
 * measured before and after, is a bare page that scrolls the same way. It shows the cost of software rendering and
 * of the machine.
 */
export async function measureTranscript(databaseUrl: string, messages = 10_000): Promise<Scrolled> {
  const server = await startServer({ DATABASE_URL: databaseUrl })
  const sql = connect(databaseUrl, { max: 1 })
  const browser = await launchChromium()
  try {
    const stage = { sql, session: () => createSession(server) }
    const [long, empty] = [await longSession(stage, messages), await createSession(server)]
    const page = await signIn(browser, server)
    const texts = await textsOf(server, long)
    await openSession(page, server, long)
    await openSession(page, server, empty)
    const opened: Scrolled['opened'] = { long: [], empty: [] }
    for (let n = 0; n < openings; n++) {
      opened.long.push(await openSession(page, server, long))
      opened.empty.push(await openSession(page, server, empty))
    }
    const before = await scrollBare(browser, texts)
    await openSession(page, server, long)
    const all = await scroll(page)
    const after = await scrollBare(browser, texts)
    const bare = { durations: [...before.durations, ...after.durations], cpu: (before.cpu + after.cpu) / 2 }
    return { opened, frames: { long: all, bare }, seen: all.seen }
  } finally {
    await browser.close()
    await sql.end()
    await server.stop()
  }
}

/** Returns the texts of the session's newest messages. */
async function textsOf(server: ServerProcess, sessionId: string): Promise<string[]> {
  const response = await fetch(`${server.url}/api/sessions/${sessionId}`, {
    headers: { authorization: `Bearer ${server.apiKey}` }
  })
  const { messages } = (await response.json()) as { messages: Message[] }
  return messages.map(textOf)
}

/**
 * Scrolls a page with only paragraphs of these texts from its end to its start. It has as many paragraphs as a long
 * session has rows.
 */
async function scrollBare(browser: Browser, texts: readonly string[]): Promise<Frames> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  try {
    const escaped = texts.map(text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
    const paragraphs = Array.from({ length: 1000 }, (_, n) => `<p>${escaped[n % escaped.length]}</p>`)
    await page.setContent(`<style>section { height: 800px; overflow-y: auto; font: 16px/26px serif } p { width: 565px }</style>
      <section aria-label="Transcript">${paragraphs.join('')}</section>`)
    await page.locator('section').evaluate(box => {
      box.scrollTop = box.scrollHeight
    })
    return await scroll(page)
  } finally {
    await page.close()
  }
}

/** Scrolls up to the first message or for `maxFrames`, `step` pixels a frame. */
async function scroll(page: Page): Promise<Frames & { seen: number }> {
  const cpu = await mainThread(page)
  const before = await cpu()
  const { durations, seen } = await scrollUp(page)
  return { durations, seen, cpu: ((await cpu()) - before) / durations.length }
}

const scrollUp = (page: Page): Promise<{ durations: number[]; seen: number }> =>
  page.evaluate(
    async ({ step, maxFrames }) => {
      const box = document.querySelector('section[aria-label=Transcript]') as HTMLElement
      const frame = () => new Promise<number>(requestAnimationFrame)
      const durations: number[] = []
      const seen = new Set<string>()
      const recordVisible = () => {
        for (const row of box.querySelectorAll<HTMLElement>('[data-row]'))
          if (row.dataset.row !== undefined) seen.add(row.dataset.row.replace(/:.*/, ''))
      }
      const earlier = () => /Load(?:ing)? earlier messages/.test(box.textContent ?? '')
      let before = await frame()
      for (
        let still = 0;
        still < 60 && durations.length < maxFrames;
        still = box.scrollTop <= 0 && !earlier() ? still + 20 : 0
      ) {
        // A real wheel event comes first. Otherwise the page would scroll back to the end.
        box.dispatchEvent(new WheelEvent('wheel', { deltaY: -step }))
        box.scrollTop -= step
        const now = await frame()
        durations.push(now - before)
        before = now
        recordVisible()
      }
      return { durations, seen: [...seen].filter(id => /^[ua]\d+$/.test(id)).length }
    },
    { step, maxFrames }
  )
