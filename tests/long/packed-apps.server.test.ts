import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from '#tests/support/browser/chromium.ts'
import { createDatabase, type TestDatabase } from '#tests/support/servers/database.ts'
import { freePort } from '#tests/support/servers/free-port.ts'
import { type ServerProcess, startServer } from '#tests/support/servers/start-server.ts'

const run = promisify(execFile)
/** Without an icon of the page, some builds of Chromium ask for `/favicon.ico`, and log its 404 as an error. */
const icon = '<link rel="icon" href="data:," />'
const versions = { next: '16.4.6', vite: '8.3.8' }

/**
 * New projects of users, who install the packed packages with npm and follow the README of `@waystation/react`. Needs
 * the npm registry.
 */
describe('a new app with the packed packages', { timeout: 300_000 }, () => {
  let database: TestDatabase
  let server: ServerProcess
  let browser: Browser
  let folder: string
  let tarballs: string[]
  let blocks: { ts: string; tsx: string }
  /** The route of docs/http-tools.md. */
  let toolRoute: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waystation-apps-'))
    database = await createDatabase()
    ;[server, browser] = await Promise.all([
      startServer({ DATABASE_URL: database.url, WAYSTATION_EGRESS_ALLOW: 'localhost' }),
      findChromium().then(options => chromium.launch(options))
    ])
    tarballs = []
    for (const name of ['client', 'react', 'server']) {
      await run(process.execPath, [`packages/${name}/build.mjs`])
      const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
      const { stdout } = await run('npm', pack, { cwd: `packages/${name}` })
      const [packed] = Object.values(JSON.parse(stdout)) as { filename: string }[]
      tarballs.push(join(folder, packed!.filename))
    }
    const readme = await readFile('packages/react/README.md', 'utf8')
    const last = (language: string) =>
      [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].at(-1)?.[1] ?? ''
    blocks = { ts: last('ts'), tsx: last('tsx') }
    toolRoute = /^```ts\n(.*?)^```$/ms.exec(await readFile('docs/http-tools.md', 'utf8'))?.[1] ?? ''
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Creates a project with these files, and installs the tarballs and these packages. */
  async function newApp(name: string, files: Record<string, string>, packages: string[]): Promise<string> {
    const app = join(folder, name)
    for (const [path, text] of Object.entries({ 'package.json': '{ "private": true }', ...files })) {
      await mkdir(dirname(join(app, path)), { recursive: true })
      await writeFile(join(app, path), text)
    }
    await run('npm', ['install', '--no-audit', '--no-fund', ...tarballs, ...packages], { cwd: app })
    return app
  }

  /** Runs a command of the project until `use` is done. The command must serve the page at this port. */
  async function serving(
    app: string,
    {
      port,
      command,
      mode,
      env = {}
    }: { port: number; command: string[]; mode: 'production' | 'development'; env?: Record<string, string> },
    use: (origin: string) => Promise<void>
  ) {
    const origin = `http://localhost:${port}`
    const headers = { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ allowedOrigins: [origin] })
    await fetch(`${server.url}/api/workspace`, { method: 'PUT', headers, body })
    const [script = '', ...args] = command
    const web = spawn(process.execPath, [join(app, 'node_modules', script), ...args], {
      cwd: app,
      env: {
        ...process.env,
        NODE_ENV: mode,
        WAYSTATION_URL: server.url,
        WAYSTATION_KEY: server.apiKey,
        ...env
      },
      stdio: 'ignore'
    })
    try {
      const isUp = () =>
        fetch(origin).then(
          reply => reply.ok,
          () => false
        )
      await expect.poll(isUp, { timeout: 30_000 }).toBe(true)
      await use(origin)
    } finally {
      web.kill()
    }
  }

  /** Lets the agent call the tool of the page, and answers it in the page's own card. */
  async function pickSeat(origin: string): Promise<void> {
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('pageerror', error => errors.push(error.message))
    page.on('console', message => void (message.type() === 'error' && errors.push(message.text())))
    await page.goto(origin)
    await page.locator('[data-composer]').fill('use pick-seat {"free": ["12A", "12C"]}')
    await page.locator('[data-composer]').press('Enter')
    const dock = page.locator('[data-place=dock]')
    await dock.getByRole('button', { name: '12A' }).waitFor()
    await page.reload()
    await dock.getByRole('button', { name: '12C' }).click()
    await dock.waitFor({ state: 'detached' })
    await page.locator('[data-face=idle]').waitFor()
    // A menu attaches a ref to its button, which differs between the versions of React.
    expect(errors).toEqual([])
    await page.close()
  }

  /** Sends a request with the admin key. Throws the text of an error response. */
  async function api<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }

  /** Lets an agent call the tool of the app, as the app defines it. */
  async function askWeather(origin: string): Promise<void> {
    const url = `${origin}/tools/weather`
    const definition = await (await fetch(url)).json()
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
    const chat = { tools: [{ ...definition, where: 'external', url }] }
    await api('PUT', '/api/agents/sailor', { agentId: 'sailor', displayName: 'Sailor', chat })
    const session = { agentId: 'sailor', sessionId: 'weather' }
    await api('POST', '/api/plugins/sessions/operations/create', session)
    await api('POST', '/api/sessions/weather/messages', { text: 'use weather {"city": "Bergen"}' })
    const messages = async () => JSON.stringify(await api('GET', '/api/sessions/weather'))
    await expect.poll(messages, { timeout: 30_000 }).toContain('"celsius":9')
  }

  test('Next.js: the routes and the page of our docs build, a custom card is answered, and a tool answers an agent', async () => {
    const head = `<head>${icon}</head>`
    const layout = `export default ({ children }) => <html lang="en">${head}<body>{children}</body></html>`
    const app = await newApp(
      'next',
      {
        'app/layout.jsx': layout,
        'app/token/route.ts': blocks.ts,
        'app/tools/weather/route.ts': toolRoute,
        'app/page.tsx': blocks.tsx,
        // As in a new app of create-next-app. Pages are then prerendered, unless they read the time.
        'next.config.mjs': 'export default { cacheComponents: true }',
        '.env.local': `NEXT_PUBLIC_WAYSTATION_URL=${server.url}`
      },
      [
        `next@${versions.next}`,
        'react@19',
        'react-dom@19',
        'zod@4',
        'typescript@5',
        '@types/react@19',
        '@types/node@24'
      ]
    )
    const next = 'next/dist/bin/next'
    await run(process.execPath, [join(app, 'node_modules', next), 'build'], {
      cwd: app,
      // The settings of the server are often known only later.
      env: { ...process.env, NODE_ENV: 'production', WAYSTATION_URL: '', WAYSTATION_KEY: '', TOOL_SECRET: '' }
    })
    const port = await freePort()
    const command = [next, 'start', '-p', `${port}`]
    await api('POST', '/api/agents', { agentId: 'sailor', displayName: 'Sailor', chat: {} })
    const { secret } = await api<{ secret: string }>('POST', '/api/agents/sailor/secrets', {})
    const env = { TOOL_SECRET: secret }
    await serving(app, { port, command, mode: 'production', env }, async origin => {
      await pickSeat(origin)
      await askWeather(origin)
    })
  })

  test('Vite with React 18: the page of the README builds, and a custom card is answered', async () => {
    const port = await freePort()
    const sessionId = 'support-eve'
    const headers = { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' }
    const post = async (path: string, body: object) => {
      const reply = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await reply.json()) as { token: string }
    }
    await post('/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId, subject: 'eve' })
    const scopes = ['read', 'send', 'answer']
    const { token } = await post(`/api/sessions/${sessionId}/tokens`, { subject: 'eve', scopes })
    const page = blocks.tsx
      .replace("process.env.NEXT_PUBLIC_WAYSTATION_URL ?? ''", `'${server.url}'`)
      .replace("() => fetch('/token', { method: 'POST' }).then(reply => reply.text())", `'${token}'`)
      .replaceAll('support-ada', sessionId)
    const app = await newApp(
      'vite',
      {
        'index.html': `<!doctype html><title>Seats</title>${icon}<main></main><script type="module" src="/main.tsx"></script>`,
        'main.tsx': `import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import Page from './page.tsx'
createRoot(document.querySelector('main')).render(<StrictMode><Page /></StrictMode>)`,
        'page.tsx': page,
        'tsconfig.json': '{ "compilerOptions": { "jsx": "react-jsx" } }'
      },
      [`vite@${versions.vite}`, 'react@18', 'react-dom@18']
    )
    const vite = 'vite/bin/vite.js'
    // The development build of React reports wrong uses, such as a ref that gets lost.
    const command = [vite, '--port', `${port}`, '--strictPort']
    await serving(app, { port, command, mode: 'development' }, pickSeat)
  })
})
