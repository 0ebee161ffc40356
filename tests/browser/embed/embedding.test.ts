import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, key, test } from '#tests/browser/test.ts'

const waystation = process.env.WAYSTATION_TEST_URL ?? ''
/** Somebody's product: the pages of docs/embedding.md at an origin of its own, and what `GET /token` gives them. */
async function openShop(token: () => Promise<unknown>) {
  const text = await readFile('docs/embedding.md', 'utf8')
  const code = (language: string) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, code]) => code ?? '')
  const [, script = ''] = code('js')
  const [page = ''] = code('html')
  const pages: Record<string, [type: string, body: string]> = {
    '/': ['text/html', page.replace('WAYSTATION_URL', waystation)],
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

test('an owner lets a page in; a line that no browser sends is told what to write instead', async ({
  page
}) => {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
  await page.goto('/settings')
  const origins = page.getByLabel('Allowed origins')
  const save = page.getByRole('button', { name: 'Save origins' })
  await origins.fill('https://shop.example\n\nhttps://Friend.example/\n')
  await save.click()
  await expect(origins).toHaveAccessibleDescription(
    /https:\/\/Friend\.example\/: write it as browsers do: https:\/\/friend\.example\./
  )
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1280]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 844 })
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    }
  await origins.fill('https://shop.example\nhttps://friend.example')
  await save.click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.reload()
  await expect(origins).toHaveValue('https://shop.example\nhttps://friend.example')
  await expect(save).toBeDisabled()
})

test('the page of docs/embedding.md talks to a session from its own origin, in a browser, once it is allowed', async ({
  page,
  request
}) => {
  const sessionId = `embedded-${randomUUID()}`
  await request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId: 'guide', sessionId }
  })
  const shop = await openShop(async () => {
    const made = await request.post(`/api/sessions/${sessionId}/tokens`, {
      headers: key,
      data: { subject: 'ada', scopes: ['read', 'send', 'answer'] }
    })
    return { sessionId, token: (await made.json()).token }
  })
  const allow = (allowedOrigins: string[]) =>
    request.put('/api/workspace', { headers: key, data: { allowedOrigins } })

  await allow([])
  const blocked = page.waitForEvent('console', message => message.text().includes('CORS policy'))
  await page.goto(shop.origin)
  await blocked

  await allow([shop.origin])
  await page.goto(shop.origin)
  await page.getByLabel('Message').fill('ask me to choose between tea and coffee')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('button', { name: 'coffee' }).click()
  await expect(page.getByText('Which one do you choose? coffee')).toBeVisible()
  await expect(page.getByRole('button', { name: 'coffee' })).toHaveCount(0)
  await expect(page.getByRole('listitem').last()).toContainText('“coffee”')
  const view = await request.get(`/api/sessions/${sessionId}`, { headers: key })
  expect((await view.json()).calls).toMatchObject([{ answeredBy: 'ada', via: 'token' }])
  await page.reload()
  await expect(page.getByText('ask me to choose between tea and coffee')).toBeVisible()
  shop.close()
})

test('a session token opens no page', async ({ request }) => {
  await request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId: 'guide', sessionId: 'pages' }
  })
  const made = await request.post('/api/sessions/pages/tokens', {
    headers: key,
    data: { subject: 'ada', scopes: ['read', 'send', 'answer'] }
  })
  const authorization = `Bearer ${(await made.json()).token}`
  expect((await request.get('/api/sessions/pages', { headers: { authorization } })).status()).toBe(200)
  for (const path of ['/sessions', '/sessions/pages', '/waiting', '/agents', '/settings']) {
    const page = await request.get(path, { headers: { authorization }, maxRedirects: 0 })
    expect({ path, status: page.status(), to: page.headers().location }).toEqual({
      path,
      status: 307,
      to: path === '/sessions' ? '/sign-in' : `/sign-in?callbackUrl=${encodeURIComponent(path)}`
    })
  }
})
