import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import type { Api } from '#tests/browser/test.ts'
import { test as base } from './shop.ts'

type Page = {
  agentId?: string
  /** Source of a TSX module that exports `Page`. */
  source: string
  /** The session and the end user of the page. */
  sessionId: string
  subject: string
}

type Fixtures = {
  /** Serves a page at an origin that the workspace allows, and returns the origin. It has a `GET /token`. */
  openPage: (page: Page) => Promise<string>
}

/** Test for pages that are built with the two packages, as in their documentation. */
export const test = base.extend<Fixtures>({
  openPage: async ({ server, api, packages: _ }, use) => {
    const closes: (() => unknown)[] = []
    await use(async ({ agentId = 'guide', source, sessionId, subject }) => {
      await api('POST', '/api/plugins/sessions/operations/create', { agentId, sessionId, subject })
      const files = await bundle(source.replaceAll('https://waystation.example', server.url))
      const host = createServer(async ({ url = '/' }, response) => {
        if (url === '/token') return response.end(await tokenFor(api, sessionId, subject))
        const file = files.get(url)
        if (file === undefined) return response.setHeader('content-type', 'text/html').end(html)
        response.setHeader('content-type', url.endsWith('.css') ? 'text/css' : 'text/javascript').end(file)
      })
      await new Promise<void>(resolve => host.listen(0, '127.0.0.1', resolve))
      closes.push(() => host.close())
      const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
      await api('PUT', '/api/workspace', { allowedOrigins: [origin] })
      return origin
    })
    for (const close of closes) close()
  }
})

const html = `<!doctype html><title>Talk</title><link rel="stylesheet" href="/stdin.css"><main></main><script src="/stdin.js" defer></script>`

/** Builds a script that renders the exported `Page`. In strict mode, React's development build mounts all twice. */
async function bundle(source: string): Promise<ReadonlyMap<string, string>> {
  const contents = `${source}
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
createRoot(document.querySelector('main')!).render(<StrictMode><Page /></StrictMode>)`
  const { outputFiles } = await build({
    stdin: { contents, loader: 'tsx', resolveDir: process.cwd() },
    bundle: true,
    write: false,
    outdir: '/',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"development"' },
    tsconfigRaw: {}
  })
  return new Map(outputFiles.map(({ path, text }) => [path, text]))
}

async function tokenFor(api: Api, sessionId: string, subject: string): Promise<string> {
  const scopes = ['read', 'send', 'answer']
  return (await api<{ token: string }>('POST', `/api/sessions/${sessionId}/tokens`, { subject, scopes }))
    .token
}
