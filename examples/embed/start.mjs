/**
 * A product that embeds a Waystation session in its page; the page is page.jsx. In this repository:
 *
 * npm run build --workspaces --if-present                         builds the packages, once
 * WAYSTATION_API_KEY=<a key of your own> npm start                starts Waystation on port 3000
 * WAYSTATION_API_KEY=<the same> node examples/embed/start.mjs     starts the shop and prints its URL
 *
 * Then allow the shop's origin in Waystation under Settings → Embedding. The API key stays in this process. The
 * page gets tokens for its user's own session, and new ones when they expire. `SCOPES=read,send` creates tokens
 * without the scope `answer`. `AGENT` is the ID of the agent (default: `guide`).
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

/**
 * Your product decides who is signed in. Never take the user from the request. This example always has the same
 * user.
 */
const user = process.env.SHOPPER ?? 'ada'
const sessionId = `support-${user}`

/** @type {Record<string, () => Promise<unknown>>} */
const routes = {
  '/me': async () => ({ url, sessionId, scopes, user }),
  '/token': async () => {
    await waystation.sessions.create({ agentId, sessionId, subject: user })
    const { tokens } = waystation.session(sessionId)
    return (await tokens.create({ subject: user, scopes, ttlSeconds: 3600 })).token
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
  tsconfigRaw: {} // use the packages as published on npm, not their sources in this repository
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
