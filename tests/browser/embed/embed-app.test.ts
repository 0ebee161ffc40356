import { readFile } from 'node:fs/promises'
import { connectionSender } from '@waystation/protocol/connection/connected-message.ts'
import { type Api, expect, type Page } from '#tests/browser/test.ts'
import { png } from '#tests/support/browser/png.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { test } from './open-page.ts'
import { askForAccount, askToChoose, askToFetch, type Call, face, openWindow, typeMessage } from './shop.ts'

const dock = (page: Page) => page.locator('[data-place=dock]')
const transcript = (page: Page) => page.getByTestId('transcript')

type Message = { role: string; parts: { url: string; filename?: string }[] }
const sessionOf = (api: Api, sessionId: string) =>
  api<{ calls: Call[]; messages: Message[] }>('GET', `/api/sessions/${sessionId}`)
const callsOf = async (api: Api, sessionId: string) => (await sessionOf(api, sessionId)).calls

test('a question and an approval are shown and answered with their widgets on a page of another origin', async ({
  page,
  api,
  server,
  openShop
}) => {
  const { origin, sessionId, shopper } = await openShop()
  await page.goto(origin)
  await askToChoose(page)
  await dock(page).getByRole('button', { name: 'coffee' }).click()
  await expect(transcript(page)).toContainText('“coffee”')
  await expect(dock(page)).toHaveCount(0)

  await askToFetch(page, server.url)
  await dock(page).getByTestId('edit-call').click()
  const url = dock(page).getByRole('textbox')
  await expect(url).toHaveValue(/samples\/page/)
  await url.fill(`${server.url}/samples/page?changed`)
  await page.reload()
  await expect(url).toHaveValue(/page\?changed$/)
  await dock(page).getByTestId('undo-edits').click()
  await dock(page).getByTestId('approve-call').click()
  await expect(dock(page)).toHaveCount(0)
  expect(await callsOf(api, sessionId)).toMatchObject([
    { state: 'answered', answeredBy: shopper, via: 'token', output: { answer: 'coffee' } },
    { state: 'approved', answeredBy: shopper, via: 'token' }
  ])
  await expect(page.getByText(shopper, { exact: true })).toHaveCount(0)
})

test('22 B2: on a page of another origin, a user sees that a message was not delivered to the external agent, and sends it again', async ({
  page,
  api,
  server,
  id,
  openShop
}) => {
  const agentId = id('acme')
  const external = { inputUrl: `${server.url}/api/nowhere` }
  await api('POST', '/api/agents', { agentId, displayName: 'Acme office', type: 'external', external })
  const { origin, sessionId } = await openShop('read,send', agentId)
  await page.goto(origin)
  await typeMessage(page, 'two crates of lamp oil')
  const delivery = transcript(page).getByTestId('message-delivery')
  await expect(delivery).toHaveAttribute('data-state', 'failed')
  await expect(delivery).toContainText('404')
  // The page names the agent itself.
  await expect(delivery).toContainText('Support')
  await page.reload()
  await delivery.getByTestId('send-again').click()
  type Deliveries = { deliveries: { attempts: object[] }[] }
  const attempts = async () =>
    (await api<Deliveries>('GET', `/api/sessions/${sessionId}/deliveries`)).deliveries[0]?.attempts.length
  await expect.poll(attempts).toBe(2)
  await expect(delivery).toContainText('404')
})

test('22 B6: an embedded session is followed over a socket with the token of the page', async ({
  page,
  openShop
}) => {
  const { origin } = await openShop()
  const streams: string[] = []
  page.on('request', request => void (request.url().includes('/events') && streams.push(request.url())))
  const socket = page.waitForEvent('websocket')
  await page.goto(origin)
  expect(new URL((await socket).url()).pathname).toBe('/ws')
  await typeMessage(page, 'say Followed by a socket.')
  await expect(page.getByRole('paragraph').filter({ hasText: /^Followed by a socket/ })).toBeVisible()
  expect(streams).toEqual([])
})

test('001-21: on a page of another origin, a file is attached by token, and its image is shown although image requests send no token', async ({
  page,
  api,
  server,
  openShop
}) => {
  const { origin, sessionId } = await openShop()
  await page.goto(origin)
  await page.getByTestId('attach-input').setInputFiles([
    { name: 'cat.png', mimeType: 'image/png', buffer: png(240, 120) },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Feed the cat.') }
  ])
  await expect(page.getByTestId('attachment').and(page.locator('[data-state=ready]'))).toHaveCount(2)
  await page.getByTestId('send-message').click()
  await expect(transcript(page)).toContainText('240×120')
  await page.reload()
  const image = page.getByTestId('attached-image').getByRole('img', { name: 'cat.png' })
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(240)
  const download = page.waitForEvent('download')
  await page.getByTestId('attached-file').getByRole('button', { name: 'notes.txt' }).click()
  expect((await download).suggestedFilename()).toBe('notes.txt')
  const [message] = (await sessionOf(api, sessionId)).messages
  expect(message?.parts.map(({ filename }) => filename)).toEqual(['cat.png', 'notes.txt'])
  // The URL without a token gives no access.
  expect((await fetch(server.url + message?.parts[0]?.url)).status).toBe(401)
})

test('a token without `answer` shows the card and who can answer it, but cannot answer, even if the page is manipulated', async ({
  page,
  api,
  server,
  openShop
}) => {
  const { origin, sessionId } = await openShop('read,send')
  await page.goto(origin)
  await askToFetch(page, server.url, 'not-mine')
  await expect(dock(page)).toContainText('our support team')
  await expect(face(page, 'not-mine')).toContainText('our support team')
  for (const hook of ['approve-call', 'edit-call', 'decline-call'])
    await expect(page.getByTestId(hook)).toHaveCount(0)
  // No extension of the deadline, no change of the title, no inspector and no session menu.
  await expect(page.locator('header').getByRole('button')).toHaveCount(0)

  const [call] = await callsOf(api, sessionId)
  const statuses = await page.evaluate(async path => {
    const token = await (await fetch('/token')).json()
    const call = async (action: string, body: object) => {
      const reply = await fetch(path + action, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify(body)
      })
      return [reply.status, (await reply.json()).code]
    }
    return [
      await call('/answer', { approved: true }),
      await call('/extend', { seconds: 60 }),
      await call('/cancel', {})
    ]
  }, `${server.url}/api/sessions/${sessionId}/calls/${call?.toolCallId}`)
  expect(statuses).toEqual([
    [403, 'FORBIDDEN'],
    [403, 'FORBIDDEN'],
    [403, 'FORBIDDEN']
  ])
  expect(await callsOf(api, sessionId)).toMatchObject([{ state: 'open' }])

  await page.route('**/me', async route => {
    const reply = await route.fetch()
    await route.fulfill({ json: { ...(await reply.json()), scopes: ['read', 'send', 'answer'] } })
  })
  await page.reload()
  await dock(page).getByTestId('approve-call').click()
  await expect(dock(page).getByRole('alert')).toContainText('our support team')
  expect(await callsOf(api, sessionId)).toMatchObject([{ state: 'open' }])
})

test('a revoked token is renewed, the page continues, and no typed text is lost', async ({
  page,
  api,
  openShop
}) => {
  const { origin, sessionId } = await openShop()
  let tokenRequests = 0
  page.on('request', request => {
    if (request.url() === `${origin}/token`) tokenRequests++
  })
  await page.goto(origin)
  await typeMessage(page, 'say first')
  // Look for the reply: the sent text is in the transcript before the session exists.
  await expect(transcript(page).getByText('first', { exact: true })).toBeVisible()
  await expect(face(page, 'idle')).toBeVisible()
  expect(tokenRequests).toBe(1)
  const path = `/api/sessions/${sessionId}/tokens`
  const list = await api<{ tokens: { tokenId: string }[] }>('GET', path)
  for (const { tokenId } of list.tokens) await api('DELETE', `${path}/${tokenId}`)
  await typeMessage(page, 'say second')
  await expect(transcript(page).getByText('second', { exact: true })).toBeVisible()
  await expect(face(page, 'idle')).toBeVisible()
  const { messages } = await sessionOf(api, sessionId)
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  expect(tokenRequests).toBe(2)
})

test('on a page with its own styles, the session has its own look and affects nothing around it', async ({
  page,
  server,
  openShop
}) => {
  const { origin } = await openShop()
  await page.goto(origin)
  await askToFetch(page, server.url)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('font-family', 'Georgia, serif')
  expect(await page.title()).toBe('Shop')
  for (const [colorScheme, width, ink, height] of [
    ['light', 1280, 'rgb(20, 33, 43)', '30px'],
    ['dark', 390, 'rgb(228, 235, 239)', '44px']
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 844 })
    if (width === 390) await page.locator('button[aria-haspopup=dialog]').last().click()
    const primary = page.getByTestId('approve-call')
    await expect(primary).toHaveCSS('background-color', ink)
    await expect(primary).toHaveCSS('border-radius', '3px')
    await expect(primary).toHaveCSS('height', height)
    if (width === 390) await page.keyboard.press('Escape')
  }
  // The shortcuts of Waystation's own pages do nothing in the embedded session.
  for (const letter of ['i', 't', 'j', '/', '?']) await page.keyboard.press(letter)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.locator('[data-row]:focus, [data-composer]:focus')).toHaveCount(0)
})

test('the page of docs/clients.md streams messages and shows the widget of Waystation for a pending call', async ({
  page,
  api,
  id,
  openPage
}) => {
  const [sessionId, subject] = [id('support'), id('eve')]
  const [, snippet = ''] = /^```tsx\n(.*?)^```$/ms.exec(await readFile('docs/clients.md', 'utf8')) ?? []
  await page.goto(
    await openPage({ source: snippet.replaceAll('support-ada', sessionId), sessionId, subject })
  )
  const parcel = page.getByRole('button', { name: 'Where is my parcel?' })
  await parcel.click()
  await expect(page.locator('[data-role=user]')).toHaveText(['Where is my parcel?'])
  await expect(page.locator('[data-role=assistant]')).not.toHaveText('')
  await expect(parcel).toBeEnabled()
  await page.getByRole('button', { name: 'I am in a hurry' }).click()
  await expect(page.locator('[data-told=visible]')).toHaveText(['I am in a hurry.'])
  await api('POST', `/api/sessions/${sessionId}/messages`, { text: demo.askToChoose('tea', 'coffee') })
  await expect(page.locator('[data-told=acknowledged]')).toHaveText(['I am in a hurry.'])
  await page.getByRole('button', { name: 'coffee' }).click()
  await expect(page.locator('[data-role=assistant]').last()).toContainText('“coffee”')
  await expect(page.getByRole('button', { name: 'coffee' })).toHaveCount(0)
  const questions = (await callsOf(api, sessionId)).filter(({ toolName }) => toolName === 'ask-question')
  expect(questions).toMatchObject([{ answeredBy: subject, via: 'token' }])
})

test('an end user connects their own account from a page of another origin, and Cancel ends an attempt with a code (002-7)', async ({
  page,
  api,
  openShop
}) => {
  const { origin, sessionId, shopper } = await openShop()
  await page.goto(origin)
  await askForAccount(page, api, sessionId)
  await expect(page.getByTestId('account-of')).toHaveCount(0)
  const popup = await openWindow(page)
  // The user must confirm before the window leaves for Acme.
  await expect(popup.getByRole('main')).toContainText(shopper)
  await popup.getByRole('link').click()
  await popup.locator('button[name=person]').first().click()
  const closed = popup.waitForEvent('close')
  await popup.locator('button[value=allow]').click()
  await closed
  await expect(dock(page)).toHaveCount(0)
  const lastCall = async () => (await callsOf(api, sessionId)).at(-1)
  expect(await lastCall()).toMatchObject({
    answeredBy: shopper,
    output: { connected: true, integration: 'acme', slug: 'acme' }
  })
  const { connections } = await api<{ connections: object[] }>('GET', '/api/connections')
  expect(connections).toContainEqual(
    expect.objectContaining({ integration: 'acme', sharing: 'user', owner: shopper, mine: false })
  )

  await typeMessage(page, 'use request_connection {"integration": "acme", "slug": "second"}')
  const codePopup = await openWindow(page, 'connect-by-device')
  await codePopup.getByRole('link').click()
  await expect(codePopup.locator('.code')).toBeVisible()
  const dropResponse = page.waitForResponse(reply => reply.request().method() === 'DELETE')
  await dock(page).getByTestId('cancel-connect').click()
  expect(await (await dropResponse).json()).toMatchObject({ state: 'failed' })
  await expect.poll(async () => (await lastCall())?.output).toMatchObject({ reason: 'cancelled' })
})

test('002-12: an end user retries a declined account on a page of another origin, and the agent continues', async ({
  page,
  api,
  openShop
}) => {
  const { origin, sessionId } = await openShop()
  await page.goto(origin)
  await askForAccount(page, api, sessionId)
  await dock(page).getByTestId('decline-connect').click()
  await expect(dock(page)).toHaveCount(0)
  const popup = await openWindow(page, 'retry-connect')
  await popup.getByRole('link').click()
  await popup.locator('button[name=person]').first().click()
  await popup.locator('button[value=allow]').click()
  await expect(page.getByTestId('sent-by').last()).toHaveText(connectionSender)
  await expect(page.getByTestId('retry-connect')).toHaveCount(0)
  expect((await callsOf(api, sessionId)).at(-1)).toMatchObject({
    state: 'declined',
    render: { connectedAt: expect.any(String) }
  })
})

test('the components never evaluate text, because a host page can forbid it', async ({ page, openShop }) => {
  const { origin } = await openShop()
  await page.addInitScript(() => {
    const seen = window as { evaluated?: string[] }
    seen.evaluated = []
    window.Function = new Proxy(Function, {
      construct(target, args) {
        seen.evaluated?.push(args.join())
        return Reflect.construct(target, args)
      }
    })
  })
  await page.goto(origin)
  await askToChoose(page)
  await expect(dock(page)).toBeVisible()
  expect(await page.evaluate(() => (window as { evaluated?: string[] }).evaluated)).toEqual([])
})
