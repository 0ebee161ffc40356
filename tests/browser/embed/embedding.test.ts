import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Api, expect, test } from '#tests/browser/test.ts'
import { demo } from '#tests/support/fakes/demo.ts'

/** Serves a product at its own origin, with the pages of docs/embedding.md and a `GET /token`. */
async function openShop(url: string, token: () => Promise<unknown>) {
  const text = await readFile('docs/embedding.md', 'utf8')
  const codeBlocks = (language: string) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, code]) => code ?? '')
  const [, script = ''] = codeBlocks('js')
  const [page = ''] = codeBlocks('html')
  const pages: Record<string, [type: string, body: string]> = {
    '/': ['text/html', page.replace('WAYSTATION_URL', url)],
    '/session.js': ['text/javascript', script]
  }
  const server = createServer(async (request, response) => {
    if (request.url === '/token') return response.end(JSON.stringify(await token()))
    const [type, body] = pages[request.url ?? ''] ?? ['text/plain', '']
    response.writeHead(body === '' ? 404 : 200, { 'content-type': type }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, close: () => server.close() }
}

/** Creates a session and returns a function that creates tokens for its end user. */
async function endUserOf(api: Api, sessionId: string): Promise<() => Promise<string>> {
  await api('POST', '/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId })
  const input = { subject: 'ada', scopes: ['read', 'send', 'answer'] }
  return async () => (await api<{ token: string }>('POST', `/api/sessions/${sessionId}/tokens`, input)).token
}

const allowOrigins = (api: Api, allowedOrigins: string[]) => api('PUT', '/api/workspace', { allowedOrigins })

test('an owner allows an origin, and an invalid line is rejected at its field', async ({ page, api }) => {
  await allowOrigins(api, [])
  await page.goto('/settings/embedding')
  const origins = page.locator('[name=allowedOrigins]')
  const form = page.locator('form', { has: origins })
  const save = form.locator('[type=submit]')
  await origins.fill('https://shop.example\n\nhttps://Friend.example/\n')
  await save.click()
  await expect(origins).toHaveAttribute('aria-invalid', 'true')
  await expect(origins).toHaveAccessibleDescription(
    /https:\/\/Friend\.example\/.*https:\/\/friend\.example\./
  )
  await origins.fill('https://shop.example\nhttps://friend.example')
  await save.click()
  await expect(form.getByRole('status')).not.toBeEmpty()
  await page.reload()
  await expect(origins).toHaveValue('https://shop.example\nhttps://friend.example')
  await expect(save).toHaveCount(0)
})

test.describe('the page of docs/embedding.md', () => {
  test.use({ signedIn: false, allowedError: /CORS policy/ })

  test('chats with a session from its own origin once the workspace allows it', async ({
    page,
    api,
    server,
    id
  }) => {
    const sessionId = id('embedded')
    const token = await endUserOf(api, sessionId)
    const shop = await openShop(server.url, async () => ({ sessionId, token: await token() }))

    await allowOrigins(api, [])
    const corsError = page.waitForEvent('console', message => message.text().includes('CORS policy'))
    await page.goto(shop.origin)
    await corsError

    await allowOrigins(api, [shop.origin])
    await page.goto(shop.origin)
    const question = demo.askToChoose('tea', 'coffee')
    await page.getByRole('textbox').fill(question)
    await page.locator('form button').click()
    await page.getByRole('button', { name: 'coffee' }).click()
    await expect(page.getByText(`${demo.choice} coffee`)).toBeVisible()
    await expect(page.getByRole('button', { name: 'coffee' })).toHaveCount(0)
    await expect(page.getByRole('listitem').last()).toContainText('“coffee”')
    expect(await api('GET', `/api/sessions/${sessionId}`)).toMatchObject({
      calls: [{ answeredBy: 'ada', via: 'token' }]
    })
    await page.reload()
    await expect(page.getByText(question)).toBeVisible()
    shop.close()
  })
})

test.describe('a session token', () => {
  test.use({ signedIn: false })

  test('gives access to no page', async ({ request, api, id }) => {
    const sessionId = id('pages')
    const authorization = `Bearer ${await (await endUserOf(api, sessionId))()}`
    const session = await request.get(`/api/sessions/${sessionId}`, { headers: { authorization } })
    expect(session.status()).toBe(200)
    for (const path of ['/sessions', `/sessions/${sessionId}`, '/waiting', '/agents', '/settings/profile']) {
      const page = await request.get(path, { headers: { authorization }, maxRedirects: 0 })
      expect({ path, status: page.status(), to: page.headers().location }).toEqual({
        path,
        status: 307,
        to: path === '/sessions' ? '/sign-in' : `/sign-in?callbackUrl=${encodeURIComponent(path)}`
      })
    }
  })
})
