/**
 * A product of somebody else's with a Waystation session in its page; the page is page.jsx. In this repository:
 *
 *   npm run build --workspaces                                         the two packages, once
 *   WAYSTATION_API_KEY=<a key of your own> npm start                   a Waystation on port 3000
 *   WAYSTATION_API_KEY=<the same> node examples/embed/start.mjs        the shop; it says where it is
 *
 * Then allow the shop's origin in Waystation under Settings → Embedding. The key stays in this process: the page gets
 * tokens of its user's own session, made again when they run out. `SCOPES=read,send` makes them without `answer`.
 * `AGENT` is the ID of the agent, `guide` by default.
 */
import { createServer } from 'node:http'
import { createClient } from '@waystation/client'
import { build } from 'esbuild'

const {
  WAYSTATION_URL: url = 'http://localhost:3000',
  WAYSTATION_API_KEY: apiKey = '',
  AGENT: agentId = 'guide',
  PORT = '4000'
} = process.env
const waystation = createClient({ url, apiKey })
const scopes = /** @type {('read' | 'send' | 'answer')[]} */ (
  process.env.SCOPES?.split(',') ?? ['read', 'send', 'answer']
)

/** Who is signed in is this product's own affair, and never taken from the request. Here it is always the same. */
const user = process.env.SHOPPER ?? 'ada'
const sessionId = `support-${user}`

/** @type {Record<string, () => Promise<unknown>>} */
const routes = {
  '/me': async () => ({ url, sessionId, scopes, user }),
  '/token': async () => {
    await waystation.sessions.create({ agentId, sessionId, subject: user })
    const params = { path: { sessionId } }
    const body = { subject: user, scopes, ttlSeconds: 3600 }
    return (await waystation.api.POST('/api/sessions/{sessionId}/tokens', { params, body })).data?.token
  }
}

const { outputFiles } = await build({
  entryPoints: [`${import.meta.dirname}/page.jsx`],
  bundle: true,
  write: false,
  outdir: '/',
  format: 'esm',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  tsconfigRaw: {} // the packages as npm has them, not their sources in this repository
})
const files = new Map(outputFiles.map(({ path, text }) => [path, text]))
const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>
  <meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/page.css">
  <main></main><script type="module" src="/page.js"></script></html>`

const server = createServer(async ({ url: path = '/' }, response) => {
  if (routes[path]) return response.end(JSON.stringify(await routes[path]()))
  const type = path.endsWith('.css') ? 'text/css' : path.endsWith('.js') ? 'text/javascript' : 'text/html'
  response.setHeader('content-type', type).end(files.get(path) ?? html)
}).listen(Number(PORT), '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(`The shop is open: http://127.0.0.1:${address.port}`)
})
