import { spokenBlocks } from '#components/session/read-aloud-words.ts'
import { states } from '#tests/browser/fixtures/states.ts'
import { expect, type Page, type Route, test } from '#tests/browser/test.ts'
import { giveVoice } from './voice.ts'

/** The page of a session; `reply` makes the agent say something in all pages that follow it. */
async function show(page: Page, statesUrl: string) {
  const lines: Route[] = []
  let seq = states.parked.snapshot.cursor
  await page.context().route('**/api/**', route => {
    if (route.request().url().includes('/events')) return void lines.push(route)
    return route.fulfill({ status: 404, json: { error: 'No such thing.', code: 'NOT_FOUND' } })
  })
  await open(page, statesUrl)
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

const open = async (page: Page, statesUrl: string) => {
  await page.goto(`${statesUrl}/?state=parked`)
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'parked')
}
const said = (page: Page) => page.evaluate(() => window.voice.said)
async function choose(page: Page, hook: 'read-aloud' | 'stop-reading') {
  await page.getByTestId('session-menu').click()
  await page.getByTestId(hook).click()
}

/** Switches it on, and resolves when this tab reads. */
async function readAloud(page: Page) {
  await choose(page, 'read-aloud')
  await reads(page)
}

/** Resolves when this tab reads: nothing that came before is read. */
async function reads(page: Page) {
  const locks = () => page.evaluate(() => navigator.locks.query())
  await expect.poll(locks).toMatchObject({ held: [{}], pending: [] })
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
}

test('000-16 where there are no voices, reading aloud is switched off', async ({ page, statesUrl }) => {
  await show(page, statesUrl)
  await page.getByTestId('session-menu').click()
  await expect(page.getByTestId('read-aloud')).toBeDisabled()
})

test.describe('with a voice', () => {
  test.beforeEach(({ context }) => context.addInitScript(giveVoice))

  test('000-16 nothing is read until it is asked for; then what comes from now on is, once, without its syntax', async ({
    page,
    statesUrl
  }) => {
    const { reply } = await show(page, statesUrl)
    await reply('Nobody hears **this**.')
    await expect(page.getByText('Nobody hears this.')).toBeVisible()
    expect(await said(page)).toEqual([])
    await readAloud(page)
    const [one, two] = ['It is **on its way**:\n\n```sh\nrm -rf /\n```', 'And `there`.']
    await reply(one)
    await expect.poll(() => said(page)).toEqual(spokenBlocks(one))
    await reply(two)
    await expect.poll(() => said(page)).toEqual([...spokenBlocks(one), ...spokenBlocks(two)])
  })

  test('it is kept in this browser, and of two tabs one reads', async ({ page, context, statesUrl }) => {
    const { reply } = await show(page, statesUrl)
    await readAloud(page)
    const second = await context.newPage()
    await open(second, statesUrl)
    await second.getByTestId('session-menu').click()
    await expect(second.getByTestId('stop-reading')).toBeVisible()
    await reply('Once.', 2)
    await expect(second.getByText('Once.')).toBeVisible()
    await expect.poll(() => said(page)).toEqual(['Once.'])
    expect(await said(second)).toEqual([])
    await page.close()
    await reads(second)
    await reply('Twice.')
    await expect.poll(() => said(second)).toEqual(['Twice.'])
  })

  test('Escape, typing and switching it off end what is being said', async ({ page, statesUrl }) => {
    const { reply } = await show(page, statesUrl)
    await readAloud(page)
    const ends = async (words: string, act: () => Promise<unknown>) => {
      await reply(words)
      await expect.poll(() => page.evaluate(() => window.voice.speaking)).toBe(true)
      await act()
      await expect.poll(() => page.evaluate(() => window.voice.speaking)).toBe(false)
    }
    await page.getByTestId('toggle-inspector').click()
    await ends('One.', () => page.keyboard.press('Escape'))
    await expect(page.getByTestId('inspector')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByTestId('inspector')).toHaveCount(0)
    await ends('Two.', () => page.locator('[data-composer]').fill('But'))
    await ends('Three.', () => choose(page, 'stop-reading'))
    await reply('Four.')
    await expect(page.getByText('Four.')).toBeVisible()
    expect(await said(page)).toEqual(['One.', 'Two.', 'Three.'])
  })
})
