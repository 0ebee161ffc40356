import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { AxeBuilder } from '@axe-core/playwright'
import { build } from 'esbuild'
import { type APIRequestContext, expect, type Page, test } from '#tests/browser/test.ts'
import { png } from '#tests/support/pictures.ts'

const waystation = process.env.WAYSTATION_TEST_URL ?? ''
const apiKey = process.env.WAYSTATION_TEST_KEY ?? ''
const headers = { authorization: `Bearer ${apiKey}` }

test.beforeAll(() => {
  test.setTimeout(180_000)
  for (const name of ['client', 'react'])
    execFileSync(process.execPath, [`packages/${name}/build.mjs`], { stdio: 'inherit' })
})

const shops: ChildProcess[] = []
test.afterEach(() => {
  for (const shop of shops.splice(0)) shop.kill()
})

/** The shop of examples/embed, as its own header says how to start it, let in by the workspace. */
async function openShop(request: APIRequestContext, shopper: string, scopes = 'read,send,answer') {
  const shop = spawn(process.execPath, ['examples/embed/start.mjs'], {
    env: {
      NODE_ENV: 'production',
      PATH: process.env.PATH,
      WAYSTATION_URL: waystation,
      WAYSTATION_API_KEY: apiKey,
      PORT: '0',
      SHOPPER: shopper,
      SCOPES: scopes
    },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  shops.push(shop)
  const line = await new Promise<string>((told, fail) => {
    createInterface(shop.stdout).once('line', told)
    shop.once('exit', code => fail(new Error(`The shop did not open: ${code}`)))
  })
  const origin = line.split(' ').at(-1) ?? ''
  expect(new URL(origin).origin).not.toBe(new URL(waystation).origin)
  await request.put('/api/workspace', { headers, data: { allowedOrigins: [origin] } })
  return { origin, sessionId: `support-${shopper}` }
}

const say = async (page: Page, text: string) => {
  await page.getByLabel('Message to Support').fill(text)
  await page.getByRole('button', { name: /^(Send|Queue)/ }).click()
}
const callsOf = async (request: APIRequestContext, sessionId: string) =>
  (await (await request.get(`/api/sessions/${sessionId}`, { headers })).json()).calls

test('a question and an approval are shown and answered with their widgets in a page of another origin', async ({
  page,
  request
}) => {
  const { origin, sessionId } = await openShop(request, 'ada')
  await page.goto(origin)
  await say(page, 'ask me to choose between tea and coffee')
  const dock = page.getByRole('region', { name: 'One thing waits for you' })
  await dock.getByRole('button', { name: 'coffee' }).click()
  await expect(page.getByRole('region', { name: 'Transcript' })).toContainText('“coffee”')
  await expect(dock).toHaveCount(0)

  await say(page, `fetch ${waystation}/samples/page`)
  await expect(page.getByText('Waiting: 1')).toBeVisible()
  await dock.getByRole('button', { name: 'Edit…' }).click()
  await page.reload()
  await expect(dock.getByRole('textbox')).toHaveValue(/samples\/page/)
  await dock.getByRole('button', { name: 'Undo edits' }).click()
  await dock.getByRole('button', { name: 'Fetch it' }).click()
  await expect(page.getByText('Nothing waits.')).toBeVisible()
  await expect.poll(async () => (await callsOf(request, sessionId)).length).toBe(2)
  expect(await callsOf(request, sessionId)).toMatchObject([
    { state: 'answered', answeredBy: 'ada', via: 'token', output: { answer: 'coffee' } },
    { state: 'approved', answeredBy: 'ada', via: 'token' }
  ])
  await expect(page.getByText('ada', { exact: true })).toHaveCount(0)
})

test('001-21: attachments: in a page of another origin a file is attached by token, and its image shown though no image sends a token', async ({
  page,
  request
}) => {
  const { origin, sessionId } = await openShop(request, 'cat')
  await page.goto(origin)
  await expect(page.getByRole('button', { name: 'Attach files' })).toBeVisible()
  await page.getByTestId('attach-input').setInputFiles([
    { name: 'cat.png', mimeType: 'image/png', buffer: png(240, 120) },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Feed the cat.') }
  ])
  await expect(page.locator('[data-hook=attachment][data-state=ready]')).toHaveCount(2)
  await page.getByRole('button', { name: /^Send/ }).click()
  await expect(page.getByRole('region', { name: 'Transcript' })).toContainText('240×120')
  await page.reload()
  const image = page.getByTestId('attached-image').getByRole('img', { name: 'cat.png' })
  await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(240)
  const saving = page.waitForEvent('download')
  await page.getByTestId('attached-file').getByRole('button', { name: 'notes.txt' }).click()
  expect((await saving).suggestedFilename()).toBe('notes.txt')
  const { messages } = await (await request.get(`/api/sessions/${sessionId}`, { headers })).json()
  expect(messages[0].parts.map(({ filename }: { filename?: string }) => filename)).toEqual([
    'cat.png',
    'notes.txt'
  ])
  // Its address alone opens nothing.
  const bare = await page
    .evaluate(url => fetch(url).then(reply => reply.status), waystation + messages[0].parts[0].url)
    .catch(() => 401)
  expect(bare).toBe(401)
})

test('a token without `answer` shows the card and who may answer it, and can answer nothing, whatever its page does', async ({
  page,
  request
}) => {
  const { origin, sessionId } = await openShop(request, 'ben', 'read,send')
  await page.goto(origin)
  await say(page, `fetch ${waystation}/samples/page`)
  await expect(page.getByText('Only our support team may answer this.')).toBeVisible()
  await expect(page.getByText('Waiting for our support team')).toBeVisible()
  for (const name of ['Fetch it', 'Decline…', 'More time', 'Inspector', 'Rename', 'More'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)

  const [call] = await callsOf(request, sessionId)
  const refused = await page.evaluate(
    async ({ waystation, path }) => {
      const token = await (await fetch('/token')).json()
      const ask = async (url: string, body: object) => {
        const reply = await fetch(waystation + url, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: JSON.stringify(body)
        })
        return [reply.status, (await reply.json()).code]
      }
      return [
        await ask(`${path}/answer`, { approved: true }),
        await ask(`${path}/extend`, { seconds: 60 }),
        await ask(`${path}/cancel`, {})
      ]
    },
    { waystation, path: `/api/sessions/${sessionId}/calls/${call.toolCallId}` }
  )
  expect(refused).toEqual([
    [403, 'FORBIDDEN'],
    [403, 'FORBIDDEN'],
    [403, 'FORBIDDEN']
  ])
  expect(await callsOf(request, sessionId)).toMatchObject([{ state: 'open' }])

  await page.route('**/me', async route => {
    const reply = await route.fetch()
    await route.fulfill({ json: { ...(await reply.json()), scopes: ['read', 'send', 'answer'] } })
  })
  await page.reload()
  await page.getByRole('button', { name: 'Fetch it' }).click()
  await expect(page.getByRole('alert')).toHaveText('Only our support team may answer this.')
  expect(await callsOf(request, sessionId)).toMatchObject([{ state: 'open' }])
})

test('a token that opens nothing any more is renewed: the page goes on, and nothing typed is lost', async ({
  page,
  request
}) => {
  const { origin, sessionId } = await openShop(request, 'cleo')
  let tokens = 0
  page.on('request', asked => {
    if (asked.url() === `${origin}/token`) tokens++
  })
  await page.goto(origin)
  await say(page, 'say first')
  await expect(page.getByRole('region', { name: 'Transcript' })).toContainText('first')
  expect(tokens).toBe(1)
  const list = await (await request.get(`/api/sessions/${sessionId}/tokens`, { headers })).json()
  for (const { tokenId } of list.tokens)
    await request.delete(`/api/sessions/${sessionId}/tokens/${tokenId}`, { headers })
  await say(page, 'say second')
  await expect(page.getByText('second', { exact: true })).toBeVisible()
  await expect(page.locator('[data-face]')).toHaveText('Ready')
  const { messages } = await (await request.get(`/api/sessions/${sessionId}`, { headers })).json()
  expect(messages.map(({ role }: { role: string }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant'
  ])
  expect(tokens).toBe(2)
})

test('in a page with a look of its own the session keeps its own, is accessible, and reaches nothing around it', async ({
  page,
  request
}) => {
  const { origin } = await openShop(request, 'dora')
  await page.goto(origin)
  await say(page, `fetch ${waystation}/samples/page`)
  await expect(page.getByText('Waiting: 1')).toBeVisible()
  const heading = page.getByRole('heading', { name: 'Ask us' })
  await expect(heading).toHaveCSS('font-family', 'Georgia, serif')
  expect(await page.title()).toBe('Shop')
  const look = async (name: string) => {
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}/embed-${name}.png` })
  }
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1280]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 844 })
      if (width === 390) {
        await look(`${colorScheme}-bar`)
        await page.getByRole('button', { name: /^1 waits for you/ }).click()
      }
      const primary = page.getByRole('button', { name: 'Fetch it' })
      const ink = colorScheme === 'light' ? 'rgb(20, 33, 43)' : 'rgb(228, 235, 239)'
      await expect(primary).toHaveCSS('background-color', ink)
      await expect(primary).toHaveCSS('border-radius', '3px')
      await expect(primary).toHaveCSS('height', width === 390 ? '44px' : '30px')
      await look(`${colorScheme}-${width}`)
      if (width === 390) await page.keyboard.press('Escape')
    }
  // The shop's keys are the shop's: no letter of it does anything here.
  for (const letter of ['i', 't', 'j', '/', '?']) await page.keyboard.press(letter)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.locator('[data-row]:focus, [data-composer]:focus')).toHaveCount(0)
})

test('a face of one’s own, as docs/clients.md has it: messages as they stream, and Waystation’s widget for what waits', async ({
  page,
  request
}) => {
  const sessionId = 'support-eve'
  const post = (path: string, data: object) => request.post(path, { headers, data })
  await post('/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId, subject: 'eve' })
  const [, snippet = ''] = /^```tsx\n(.*?)^```$/ms.exec(await readFile('docs/clients.md', 'utf8')) ?? []
  const shown = snippet
    .replaceAll('https://waystation.example', waystation)
    .replaceAll('support-ada', sessionId)
    .concat("import { StrictMode } from 'react'\nimport { createRoot } from 'react-dom/client'\n")
    .concat("createRoot(document.querySelector('main')!).render(<StrictMode><Page /></StrictMode>)\n")
  const { outputFiles } = await build({
    stdin: { contents: shown, loader: 'tsx', resolveDir: process.cwd() },
    bundle: true,
    write: false,
    outdir: '/',
    jsx: 'automatic',
    // React's development build mounts everything twice in strict mode.
    define: { 'process.env.NODE_ENV': '"development"' },
    tsconfigRaw: {}
  })
  const server = createServer(async ({ url = '/' }, response) => {
    const file = outputFiles.find(({ path }) => path === url)
    if (file)
      return response
        .setHeader('content-type', url.endsWith('.css') ? 'text/css' : 'text/javascript')
        .end(file.text)
    if (url === '/token') {
      const made = await post(`/api/sessions/${sessionId}/tokens`, {
        subject: 'eve',
        scopes: ['read', 'send', 'answer']
      })
      return response.end((await made.json()).token)
    }
    const html = `<!doctype html><title>Talk</title><link rel="stylesheet" href="/stdin.css"><main></main><script src="/stdin.js" defer></script>`
    response.setHeader('content-type', 'text/html').end(html)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await request.put('/api/workspace', { headers, data: { allowedOrigins: [origin] } })
  const said: string[] = []
  page.on('pageerror', error => said.push(error.message))

  await page.goto(origin)
  const button = page.getByRole('button', { name: 'Where is my parcel?' })
  await button.click()
  await expect(page.locator('[data-role=user]')).toHaveText(['Where is my parcel?'])
  await expect(page.locator('[data-role=assistant]')).not.toHaveText('')
  await expect(button).toBeEnabled()
  await page.getByRole('button', { name: 'I am in a hurry' }).click()
  await expect(page.locator('[data-told=visible]')).toHaveText(['I am in a hurry.'])
  await post(`/api/sessions/${sessionId}/messages`, { text: 'ask me to choose between tea and coffee' })
  await expect(page.locator('[data-told=injected]')).toHaveText(['I am in a hurry.'])
  await page.getByRole('button', { name: 'coffee' }).click()
  await expect(page.locator('[data-role=assistant]').last()).toContainText('“coffee”')
  await expect(page.getByRole('button', { name: 'coffee' })).toHaveCount(0)
  expect(await callsOf(request, sessionId)).toMatchObject([{ answeredBy: 'eve', via: 'token' }])
  expect(said).toEqual([])
  server.close()
})

test('an end user connects an account of their own from a page of another origin, and a code is given up with its window (002-7)', async ({
  page,
  request
}) => {
  const { origin, sessionId } = await openShop(request, 'fay')
  await page.goto(origin)
  await say(page, 'hello there')
  const tools = [
    {
      '@ag.embed': {
        '@ag.references': { workflow: { slug: '__ag__request_connection' } },
        '@ag.selector': { path: 'parameters.tool' }
      },
      name: 'request_connection'
    }
  ]
  const path = `/api/sessions/${sessionId}`
  expect((await request.put(`${path}/overlay`, { headers, data: { overlay: { tools } } })).status()).toBe(200)
  await say(page, 'use request_connection {"integration": "acme"}')
  const dock = page.getByRole('region', { name: 'One thing waits for you' })
  const opened = page.waitForEvent('popup')
  await dock.getByRole('button', { name: 'Connect Acme' }).click()
  const popup = await opened
  // Whoever was lured here is asked before anything leaves.
  await expect(popup.getByText(/fay asks you to connect your Acme account/)).toBeVisible()
  expect((await new AxeBuilder({ page: popup }).analyze()).violations).toEqual([])
  await popup.getByRole('link', { name: 'Continue to Acme' }).click()
  await popup.getByRole('button', { name: 'Ada Okafor' }).click()
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('region', { name: 'Transcript' })).toContainText('Acme connected')
  await closed
  const calls = () => callsOf(request, sessionId)
  expect((await calls()).at(-1)).toMatchObject({
    answeredBy: 'fay',
    output: { connected: true, integration: 'acme', slug: 'acme' }
  })
  const { connections } = await (await request.get('/api/connections', { headers })).json()
  expect(connections).toContainEqual(
    expect.objectContaining({ integration: 'acme', sharing: 'user', owner: 'fay', mine: false })
  )

  await say(page, 'use request_connection {"integration": "acme", "slug": "second"}')
  const again = page.waitForEvent('popup')
  await dock.getByRole('button', { name: 'Use a code instead' }).click()
  const coded = await again
  await coded.getByRole('link', { name: 'Continue to Acme' }).click()
  await expect(coded.locator('.code')).toBeVisible()
  const dropped = page.waitForResponse(reply => reply.request().method() === 'DELETE')
  await dock.getByRole('button', { name: 'Cancel' }).click()
  expect(await (await dropped).json()).toMatchObject({ state: 'failed' })
  await expect.poll(async () => (await calls()).at(-1)?.output).toMatchObject({ reason: 'cancelled' })
})
