import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '#tests/support/servers/database.ts'
import { freePort } from '#tests/support/servers/free-port.ts'
import { type ServerProcess, startServer } from '#tests/support/servers/start-server.ts'

const types: Record<string, RegExp> = {
  '.ico': /^image\/x-icon$/,
  '.png': /^image\/png$/,
  '.svg': /^image\/svg\+xml$/,
  '.txt': /^text\/plain; charset=utf-8$/i,
  '.webmanifest': /^application\/manifest\+json$/
}

let server: ServerProcess
let url = ''
beforeAll(async () => {
  const port = String(await freePort())
  url = `http://127.0.0.1:${port}`
  server = await startServer({
    PORT: port,
    DATABASE_URL: (await createDatabase()).url,
    WAYSTATION_LOCAL: 'off',
    WAYSTATION_URL: 'https://way.example.org',
    AUTH_SECRET: 'a secret of thirty-two characters',
    WAYSTATION_VAULT_KEY: Buffer.alloc(32).toString('base64')
  })
})
afterAll(() => server.stop())

test.each(readdirSync('public'))(
  'a visitor receives %s with its type, and the browser caches it for a day',
  async file => {
    const response = await fetch(`${url}/${file}`, { redirect: 'error' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(types[extname(file)] ?? /^a known type$/)
    expect(response.headers.get('cache-control')).toBe('public, max-age=86400')
    expect(Buffer.from(await response.arrayBuffer())).toEqual(readFileSync(`public/${file}`))

    const etag = response.headers.get('etag') ?? ''
    // Without this header, fetch requests a fresh copy (`no-cache`).
    const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' }
    const again = await fetch(`${url}/${file}`, { headers })
    expect(again.status).toBe(304)
  }
)

test('the head of the sign-in page names the icons, the manifest and the preview image', async () => {
  // For a link preview, Next sends the complete head at once instead of streaming parts of it later.
  const page = await fetch(`${url}/sign-in`, { headers: { 'user-agent': 'Twitterbot/1.0' } })
  expect(page.headers.get('content-security-policy')).toContain("manifest-src 'self'")
  const [head = ''] = (await page.text()).split('</head>', 1)
  const tags = [...head.matchAll(/<(?:link|meta) [^>]*>/g)].map(([tag]) =>
    Object.fromEntries([...tag.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))
  )
  const image = 'https://way.example.org/social.png'
  for (const tag of [
    { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
    { rel: 'icon', href: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
    { rel: 'apple-touch-icon', href: '/apple-touch-icon.png', sizes: '180x180' },
    { rel: 'manifest', href: '/manifest.webmanifest' },
    { property: 'og:image', content: image },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { name: 'twitter:card', content: 'summary_large_image' },
    { name: 'twitter:image', content: image }
  ])
    expect(tags).toContainEqual(expect.objectContaining(tag))
  expect(tags.filter(({ rel }) => rel === 'icon')).toHaveLength(2)
})
