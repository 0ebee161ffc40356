import { type Browser, chromium, type Page } from '@playwright/test'
import { connect } from '#db/client.ts'
import { findChromium } from '#tests/support/chromium.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { longSession } from './long-session.ts'

/** Opened this often each, in turns: the long one, the empty one. */
const openings = 8
/** How far each frame scrolls, in CSS pixels: as fast as a hand that spins a wheel. */
const step = 400

/** Milliseconds: of an opening from the navigation until the end can be read, of a frame until the next one. */
export type Scrolled = {
  opened: { long: number[]; empty: number[] }
  frames: { long: number[]; short: number[] }
  /** Messages that the reader had before them on their way to the first one. */
  seen: number
}

/**
 * The transcript of a session of 10,000 messages in headless Chromium, against the real server with its pages: how long
 * until its end can be read (beside an empty session's composer, in turns), and how even the frames are while all of it is
 * scrolled through to its first message, earlier ones being fetched on the way (beside a session of 60, up and down).
 */
export async function measureTranscript(databaseUrl: string, messages = 10_000): Promise<Scrolled> {
  const server = await startServer({ DATABASE_URL: databaseUrl })
  const sql = connect(databaseUrl, { max: 1 })
  const { executablePath, args } = await findChromium()
  const browser = await chromium.launch({ executablePath, args })
  try {
    const stage = { sql, session: () => create(server) }
    const [long, short, empty] = [
      await longSession(stage, messages),
      await longSession(stage, 60),
      await create(server)
    ]
    const page = await signIn(browser, server)
    await open(page, server, long)
    await open(page, server, empty)
    const opened: Scrolled['opened'] = { long: [], empty: [] }
    for (let n = 0; n < openings; n++) {
      opened.long.push(await open(page, server, long))
      opened.empty.push(await open(page, server, empty))
    }
    await open(page, server, short)
    const beside = await scroll(page, 20)
    await open(page, server, long)
    const all = await scroll(page, 1)
    return { opened, frames: { long: all.frames, short: beside.frames }, seen: all.seen }
  } finally {
    await browser.close()
    await sql.end()
    await server.stop()
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
  await page.goto(`${server.url}/sign-in`)
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

/** Scrolls to the first message (and back, `times` over), by `step` a frame, and says how long each frame took. */
const scroll = (page: Page, times: number): Promise<{ frames: number[]; seen: number }> =>
  page.evaluate(
    async ({ step, times }) => {
      const box = document.querySelector('section[aria-label=Transcript]') as HTMLElement
      const frame = () => new Promise<number>(requestAnimationFrame)
      const frames: number[] = []
      const seen = new Set<string>()
      const look = () => {
        for (const row of box.querySelectorAll<HTMLElement>('[data-row]'))
          if (row.dataset.row !== undefined) seen.add(row.dataset.row.replace(/:.*/, ''))
      }
      const earlier = () => /Earlier messages|Loading earlier/.test(box.textContent ?? '')
      let before = await frame()
      const go = async (by: number) => {
        // What a hand does first: a reader who scrolls is not taken back to the end.
        box.dispatchEvent(new WheelEvent('wheel', { deltaY: by }))
        box.scrollTop += by
        const now = await frame()
        frames.push(now - before)
        before = now
        look()
      }
      for (let n = 0; n < times; n++) {
        for (let still = 0; still < 60; still = box.scrollTop <= 0 && !earlier() ? still + 20 : 0)
          await go(-step)
        if (times > 1) for (; box.scrollTop + box.clientHeight < box.scrollHeight - 1; ) await go(step)
      }
      return { frames, seen: [...seen].filter(id => /^[ua]\d+$/.test(id)).length }
    },
    { step, times }
  )
