import { states } from '#tests/browser/fixtures/states.ts'
import { expect, type Page, type Route, test } from '#tests/browser/test.ts'
import { serveStates } from '#tests/support/serve-states.ts'

let served: Awaited<ReturnType<typeof serveStates>>
test.beforeAll(async () => {
  served = await serveStates()
})
test.afterAll(() => served.stop())

type Voice = { said: string[]; cancelled: number; speaking: boolean }
declare global {
  interface Window {
    voice: Voice
  }
}

/** A browser with a voice, which keeps what it is told to say and is never done saying it. */
function giveVoice() {
  const voice: Voice = { said: [], cancelled: 0, speaking: false }
  const speech = Object.assign(new EventTarget(), {
    pending: false,
    getVoices: () => [{ name: 'Ana' }],
    speak: ({ text }: { text: string }) => {
      voice.said.push(text)
      voice.speaking = true
    },
    cancel: () => {
      voice.cancelled++
      voice.speaking = false
    }
  })
  Object.defineProperty(speech, 'speaking', { get: () => voice.speaking })
  Object.defineProperty(window, 'speechSynthesis', { value: speech })
  Object.defineProperty(window, 'SpeechSynthesisUtterance', {
    value: class {
      readonly text: string
      constructor(text: string) {
        this.text = text
      }
    }
  })
  window.voice = voice
}

/** The page of a session; `reply` makes the agent say something in all pages that follow it. */
async function show(page: Page) {
  const lines: Route[] = []
  let seq = states.parked.snapshot.cursor
  await page.context().route('**/api/**', route => {
    if (route.request().url().includes('/events')) return void lines.push(route)
    return route.fulfill({ status: 404, json: { error: 'No such thing.', code: 'NOT_FOUND' } })
  })
  await open(page)
  return {
    async reply(text: string, followers = 1) {
      // What a tab that is closed had asked for is nobody's any more.
      const asked = () => lines.filter(line => !line.request().frame().page().isClosed())
      await expect.poll(() => asked().length).toBe(followers)
      const parts = [{ type: 'text', text, state: 'done' }]
      const at = new Date().toISOString()
      const message = { id: `reply_${++seq}`, role: 'assistant', metadata: { createdAt: at }, parts }
      const event = JSON.stringify({ seq, at, type: 'message', message })
      const body = `id: ${seq}\nevent: message\ndata: ${event}\n\n`
      const answered = asked()
      lines.length = 0
      for (const line of answered) await line.fulfill({ contentType: 'text/event-stream', body })
    }
  }
}

const open = async (page: Page) => {
  await page.goto(`${served.url}/?state=parked`)
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'parked')
}
const said = (page: Page) => page.evaluate(() => window.voice.said)
async function choose(page: Page, name: string) {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name }).click()
}

/** Switches it on, and resolves when this tab reads. */
async function readAloud(page: Page) {
  await choose(page, 'Read replies aloud')
  await reads(page)
}

/** Resolves when this tab reads: nothing that came before is read. */
async function reads(page: Page) {
  const locks = () => page.evaluate(() => navigator.locks.query())
  await expect.poll(locks).toMatchObject({ held: [{}], pending: [] })
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
}

test('000-16 where there are no voices, reading aloud is switched off, and it says why', async ({ page }) => {
  await show(page)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const item = page.getByRole('menuitem', { name: /^Read replies aloud/ })
  await expect(item).toBeDisabled()
  await expect(item).toContainText('this browser has no voices')
})

test.describe('with a voice', () => {
  test.beforeEach(({ context }) => context.addInitScript(giveVoice))

  test('000-16 nothing is read until it is asked for; then what comes from now on is, once, without its syntax', async ({
    page
  }) => {
    const { reply } = await show(page)
    await reply('Nobody hears **this**.')
    await expect(page.getByText('Nobody hears this.')).toBeVisible()
    expect(await said(page)).toEqual([])
    await readAloud(page)
    await reply('It is **on its way**:\n\n```sh\nrm -rf /\n```')
    await expect.poll(() => said(page)).toEqual(['It is on its way:', 'Code block.'])
    await reply('And `there`.')
    await expect.poll(() => said(page)).toEqual(['It is on its way:', 'Code block.', 'And there.'])
  })

  test('it is kept in this browser, and of two tabs one reads', async ({ page, context }) => {
    const { reply } = await show(page)
    await readAloud(page)
    const second = await context.newPage()
    await open(second)
    await second.getByRole('button', { name: 'More', exact: true }).click()
    await expect(second.getByRole('menuitem', { name: 'Stop reading replies aloud' })).toBeVisible()
    await reply('Once.', 2)
    await expect(second.getByText('Once.')).toBeVisible()
    await expect.poll(() => said(page)).toEqual(['Once.'])
    expect(await said(second)).toEqual([])
    await page.close()
    await reads(second)
    await reply('Twice.')
    await expect.poll(() => said(second)).toEqual(['Twice.'])
  })

  test('Escape, typing and switching it off end what is being said', async ({ page }) => {
    const { reply } = await show(page)
    await readAloud(page)
    const ends = async (words: string, act: () => Promise<unknown>) => {
      await reply(words)
      await expect.poll(() => page.evaluate(() => window.voice.speaking)).toBe(true)
      await act()
      await expect.poll(() => page.evaluate(() => window.voice.speaking)).toBe(false)
    }
    await page.getByRole('button', { name: 'Inspector' }).click()
    await ends('One.', () => page.keyboard.press('Escape'))
    await expect(page.getByRole('complementary', { name: 'Inspector' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('complementary', { name: 'Inspector' })).toHaveCount(0)
    await ends('Two.', () => page.locator('[data-composer]').fill('But'))
    await ends('Three.', () => choose(page, 'Stop reading replies aloud'))
    await reply('Four.')
    await expect(page.getByText('Four.')).toBeVisible()
    expect(await said(page)).toEqual(['One.', 'Two.', 'Three.'])
  })
})
