import { type Browser, chromium, type Page } from '@playwright/test'
import { connect } from '#db/client.ts'
import { type Message, textOf } from '#lib/protocol/session/message.ts'
import { findChromium } from '#tests/support/browser/chromium.ts'
import { startServer, type TestServer } from '#tests/support/worlds/start-server.ts'
import { longSession } from './long-session.ts'

/** Opened this often each, in turns: the long one, the empty one. */
const openings = 8
/** How far each frame scrolls, in CSS pixels: as fast as a hand that spins a wheel. */
const step = 400

/** Milliseconds: of an opening from the navigation until the end can be read, of a frame until the next one. */
export type Scrolled = {
  opened: { long: number[]; empty: number[] }
  /** `bare`: of a page that has the same words and nothing else. */
  frames: { long: Frames; bare: Frames }
  /** Messages that the reader had before them on their way to the first one. */
  seen: number
}

/** How long each frame took, and what it cost the page's main thread, in milliseconds of CPU on average. */
type Frames = { taken: number[]; cpu: number }

/**
 * The transcript of a session of 10,000 messages in headless Chromium, against the real server with its pages: how long
 * until its end can be read (beside an empty session's composer, in turns), and how even the frames are while all of it is
 * scrolled through to its first message, earlier ones being fetched on the way. Beside it, before and after, a bare page
 * that is scrolled the same way: what software drawing and the machine cost by themselves.
 */
export async function measureTranscript(databaseUrl: string, messages = 10_000): Promise<Scrolled> {
  const server = await startServer({ DATABASE_URL: databaseUrl })
  const sql = connect(databaseUrl, { max: 1 })
  const { executablePath, args } = await findChromium()
  const browser = await chromium.launch({ executablePath, args })
  try {
    const stage = { sql, session: () => create(server) }
    const [long, empty] = [await longSession(stage, messages), await create(server)]
    const page = await signIn(browser, server)
    const words = await wordsOf(server, long)
    await open(page, server, long)
    await open(page, server, empty)
    const opened: Scrolled['opened'] = { long: [], empty: [] }
    for (let n = 0; n < openings; n++) {
      opened.long.push(await open(page, server, long))
      opened.empty.push(await open(page, server, empty))
    }
    const before = await scrollBare(browser, words)
    await open(page, server, long)
    const all = await scroll(page)
    const after = await scrollBare(browser, words)
    const bare = { taken: [...before.taken, ...after.taken], cpu: (before.cpu + after.cpu) / 2 }
    return { opened, frames: { long: all, bare }, seen: all.seen }
  } finally {
    await browser.close()
    await sql.end()
    await server.stop()
  }
}

/** What its newest messages say. */
async function wordsOf(server: TestServer, sessionId: string): Promise<string[]> {
  const response = await fetch(`${server.url}/api/sessions/${sessionId}`, {
    headers: { authorization: `Bearer ${server.apiKey}` }
  })
  const { messages } = (await response.json()) as { messages: Message[] }
  return messages.map(textOf)
}

/** A page of nothing but paragraphs of these words, as many as rows of a long session, scrolled from its end to its beginning. */
async function scrollBare(browser: Browser, words: readonly string[]): Promise<Frames> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  try {
    const escaped = words.map(text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
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

async function create(server: TestServer): Promise<string> {
  const response = await fetch(`${server.url}/api/plugins/sessions/operations/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.apiKey}` },
    body: JSON.stringify({ agentId: 'guide' })
  })
  const { result } = (await response.json()) as { result: { sessionId: string } }
  return result.sessionId
}

async function signIn(browser: Browser, server: TestServer): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(server.link)
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
  return page
}

/** From the beginning of the navigation until the last row is in sight (of an empty session, its composer), by the page's clock. */
async function open(page: Page, server: TestServer, sessionId: string): Promise<number> {
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

/** Scrolls to the first message by `step` a frame. */
async function scroll(page: Page): Promise<Frames & { seen: number }> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const cpu = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0)
  }
  const before = await cpu()
  const { taken, seen } = await scrollUp(page)
  return { taken, seen, cpu: ((await cpu()) - before) / taken.length }
}

const scrollUp = (page: Page): Promise<{ taken: number[]; seen: number }> =>
  page.evaluate(async step => {
    const box = document.querySelector('section[aria-label=Transcript]') as HTMLElement
    const frame = () => new Promise<number>(requestAnimationFrame)
    const taken: number[] = []
    const seen = new Set<string>()
    const look = () => {
      for (const row of box.querySelectorAll<HTMLElement>('[data-row]'))
        if (row.dataset.row !== undefined) seen.add(row.dataset.row.replace(/:.*/, ''))
    }
    const earlier = () => /Load(?:ing)? earlier messages/.test(box.textContent ?? '')
    let before = await frame()
    for (let still = 0; still < 60; still = box.scrollTop <= 0 && !earlier() ? still + 20 : 0) {
      // What a hand does first: a reader who scrolls is not taken back to the end.
      box.dispatchEvent(new WheelEvent('wheel', { deltaY: -step }))
      box.scrollTop -= step
      const now = await frame()
      taken.push(now - before)
      before = now
      look()
    }
    return { taken, seen: [...seen].filter(id => /^[ua]\d+$/.test(id)).length }
  }, step)
