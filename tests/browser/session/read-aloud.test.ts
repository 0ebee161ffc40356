import { spokenBlocks } from '#components/session/header/read-aloud-text.ts'
import { states } from '#tests/browser/fixtures/states.ts'
import { expect, type Page, type Route, test } from '#tests/browser/test.ts'
import { addFakeVoice } from './fake-voice.ts'

/** Opens the page of a session. `reply` adds a message of the agent in all pages that follow the session. */
async function openSession(page: Page, statesUrl: string) {
  const lines: Route[] = []
  let seq = states.parked.snapshot.cursor
  await page.context().route('**/api/**', route => {
    if (route.request().url().includes('/events')) return void lines.push(route)
    return route.fulfill({ status: 404, json: { error: 'No such thing.', code: 'NOT_FOUND' } })
  })
  await open(page, statesUrl)
  return {
    async reply(text: string, followers = 1) {
      // Requests of closed tabs are ignored.
      const pendingRequests = () => lines.filter(line => !line.request().frame().page().isClosed())
      await expect.poll(() => pendingRequests().length).toBe(followers)
      const parts = [{ type: 'text', text, state: 'done' }]
      const at = new Date().toISOString()
      const message = { id: `reply_${++seq}`, role: 'assistant', metadata: { createdAt: at }, parts }
      const event = JSON.stringify({ seq, at, type: 'message', message })
      const body = `id: ${seq}\nevent: message\ndata: ${event}\n\n`
      const followersNow = pendingRequests()
      lines.length = 0
      for (const line of followersNow) await line.fulfill({ contentType: 'text/event-stream', body })
    }
  }
}

const open = async (page: Page, statesUrl: string) => {
  await page.goto(`${statesUrl}/?state=parked`)
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'parked')
}
const spokenTexts = (page: Page) => page.evaluate(() => window.voice.spoken)
async function choose(page: Page, hook: 'read-aloud' | 'stop-reading') {
  await page.getByTestId('session-menu').click()
  await page.getByTestId(hook).click()
}

/** Turns on reading aloud and waits until this tab reads. */
async function readAloud(page: Page) {
  await choose(page, 'read-aloud')
  await untilReading(page)
}

/** Waits until this tab reads. It reads only later messages. */
async function untilReading(page: Page) {
  const locks = () => page.evaluate(() => navigator.locks.query())
  await expect.poll(locks).toMatchObject({ held: [{}], pending: [] })
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
}

test('000-16 without voices in the browser, reading aloud is disabled', async ({ page, statesUrl }) => {
  await openSession(page, statesUrl)
  await page.getByTestId('session-menu').click()
  await expect(page.getByTestId('read-aloud')).toBeDisabled()
})

test('screen readers announce each new reply once, without its Markdown syntax', async ({
  page,
  statesUrl
}) => {
  const { reply } = await openSession(page, statesUrl)
  const announcer = page.getByTestId('reply-announcer')
  await expect(announcer).toHaveText('')
  await reply('It is **done**.')
  await expect(announcer).toHaveText('Field guide: It is done.')
  await reply('And `there`.')
  await expect(announcer).toHaveText('Field guide: And there.')
})

test.describe('with a voice', () => {
  test.beforeEach(({ context }) => context.addInitScript(addFakeVoice))

  test('000-16 nothing is read before it is turned on, and then each new message is read once without its Markdown syntax', async ({
    page,
    statesUrl
  }) => {
    const { reply } = await openSession(page, statesUrl)
    await reply('Reading is **off**.')
    await expect(page.getByTestId('transcript').getByText('Reading is off.')).toBeVisible()
    expect(await spokenTexts(page)).toEqual([])
    await readAloud(page)
    const [first, second] = ['It is **on its way**:\n\n```sh\nrm -rf /\n```', 'And `there`.']
    await reply(first)
    await expect.poll(() => spokenTexts(page)).toEqual(spokenBlocks(first))
    await reply(second)
    await expect.poll(() => spokenTexts(page)).toEqual([...spokenBlocks(first), ...spokenBlocks(second)])
  })

  test('the setting is stored in this browser, and only one of two tabs reads', async ({
    page,
    context,
    statesUrl
  }) => {
    const { reply } = await openSession(page, statesUrl)
    await readAloud(page)
    const second = await context.newPage()
    await open(second, statesUrl)
    await second.getByTestId('session-menu').click()
    await expect(second.getByTestId('stop-reading')).toBeVisible()
    await reply('Once.', 2)
    await expect(second.getByTestId('transcript').getByText('Once.')).toBeVisible()
    await expect.poll(() => spokenTexts(page)).toEqual(['Once.'])
    expect(await spokenTexts(second)).toEqual([])
    await page.close()
    await untilReading(second)
    await reply('Twice.')
    await expect.poll(() => spokenTexts(second)).toEqual(['Twice.'])
  })

  test('Escape, typing and turning it off stop the voice', async ({ page, statesUrl }) => {
    const { reply } = await openSession(page, statesUrl)
    await readAloud(page)
    const expectStopped = async (text: string, act: () => Promise<unknown>) => {
      await reply(text)
      await expect.poll(() => page.evaluate(() => window.voice.speaking)).toBe(true)
      await act()
      await expect.poll(() => page.evaluate(() => window.voice.speaking)).toBe(false)
    }
    await page.getByTestId('toggle-inspector').click()
    await expectStopped('One.', () => page.keyboard.press('Escape'))
    await expect(page.getByTestId('inspector')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByTestId('inspector')).toHaveCount(0)
    await expectStopped('Two.', () => page.locator('[data-composer]').fill('But'))
    await expectStopped('Three.', () => choose(page, 'stop-reading'))
    await reply('Four.')
    await expect(page.getByTestId('transcript').getByText('Four.')).toBeVisible()
    expect(await spokenTexts(page)).toEqual(['One.', 'Two.', 'Three.'])
  })
})
