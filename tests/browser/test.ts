import { test as base, expect, type Page } from '@playwright/test'
import { takeErrors } from '#tests/support/expected-errors.ts'
import { cookieFor } from '#tests/support/worlds/sign-in-cookie.ts'
import { startWorkerServer, type WorkerServer, workerSignIn } from './start-worker-server.ts'

export * from '@playwright/test'

/** The admin key of every test server's default workspace, as a header. */
export const key = { authorization: 'Bearer the-admin-key-of-every-test' }

/** The secret that signs the cookies of every test server: a test signs in by making one. */
export const authSecret = 'a secret of thirty-two characters'

type Options = {
  /** Errors that the page and the server may log while the test runs: `test.use({ allowedError: /…|…/ })`. */
  allowedError: RegExp | undefined
  /** False opens the pages as a visitor; the default is the local owner, signed in. */
  signedIn: boolean
}

type WorkerOptions = {
  /**
   * Settings of the server, which reaches 127.0.0.1 by default. Files with the same object share a server in each worker.
   * Playwright compares identities: equal literals in two files start two servers. `own` says why they want their own.
   */
  serverOptions: { own?: string; settings?: Record<string, string> }
}

type Fixtures = {
  /** Calls the API as the workspace's admin key and returns the parsed body. Throws on an error status. */
  api: Api
  /** The address of the session's page alone, without a server behind it: `/?state=parked`. */
  statesUrl: string
  /** An ID that no other test uses, so that a test can run again on the same server. */
  id: (name: string) => string
}

export type Api = <T>(method: string, path: string, body?: unknown) => Promise<T>

/**
 * The browser's test: a server for each worker with a database of its own, signed in by cookie. Every page that a test
 * opens is awaited until it is alive (`html[data-alive]`). A `console.error`, an uncaught error of a page or a log line of
 * level `error` fails the test.
 */
export const test = base.extend<Options & Fixtures, WorkerOptions & { server: WorkerServer }>({
  allowedError: [undefined, { option: true }],
  signedIn: [true, { option: true }],
  serverOptions: [{ settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' } }, { option: true, scope: 'worker' }],

  server: [
    async ({ serverOptions }, use) => {
      const server = await startWorkerServer({ AUTH_SECRET: authSecret, ...serverOptions.settings })
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 }
  ],

  baseURL: async ({ server }, use) => use(server.url),

  storageState: async ({ server, signedIn }, use) => {
    const { hostname: domain } = new URL(server.url)
    const named = await cookieFor(workerSignIn, { secret: authSecret })
    const cookie = { ...named, domain, path: '/', expires: -1, httpOnly: true, secure: false }
    await use({ cookies: signedIn ? [{ ...cookie, sameSite: 'Lax' as const }] : [], origins: [] })
  },

  context: async ({ context, allowedError }, use) => {
    takeErrors()
    const errors: string[] = []
    context.on('weberror', ({ error }) => void errors.push(`uncaught: ${error().stack ?? error().message}`))
    context.on('console', message => {
      if (message.type() === 'error') errors.push(`console.error: ${message.text()}`)
    })
    context.on('page', awaitAlive)
    await use(context)
    const all = [...errors, ...takeErrors().map(({ source, text }) => `${source}: ${text}`)]
    const unexpected = all.filter(
      text => !allowedError?.test(text) && !alwaysAllowed.some(one => one.test(text))
    )
    expect(unexpected, 'errors that the test does not allow').toEqual([])
  },

  api: async ({ server, playwright }, use) => {
    const request = await playwright.request.newContext({
      baseURL: server.url,
      extraHTTPHeaders: key
    })
    await use(async (method, path, data) => {
      const response = await request.fetch(path, { method, data })
      const text = await response.text()
      if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    })
    await request.dispose()
  },

  // Playwright reads the names of the fixtures from this pattern; there are none.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  statesUrl: async ({}, use) => use(process.env.WAYSTATION_TEST_STATES ?? ''),

  // biome-ignore lint/correctness/noEmptyPattern: see above
  id: async ({}, use, { testId, repeatEachIndex, retry }) => {
    await use(name => `${name}-${testId.slice(-8)}-${repeatEachIndex}${retry}`)
  }
})

/**
 * Allowed in every test. Chromium writes a line for each response of 400 and more, and for each socket that does not open; tests
 * of errors look at the page.
 */
const alwaysAllowed = [
  /^console\.error: Failed to load resource: /,
  /^console\.error: WebSocket connection to /
]

/** Waits for the page that a test opens or reloads to be alive, if it is one of ours that becomes so. */
function awaitAlive(page: Page): void {
  const { goto, reload } = page
  page.goto = async (...args) => alive(page, await goto.apply(page, args))
  page.reload = async (...args) => alive(page, await reload.apply(page, args))
}

async function alive<T>(page: Page, response: T): Promise<T> {
  await page.waitForFunction(
    () => !document.querySelector('script[data-early-clicks]') || 'alive' in document.documentElement.dataset
  )
  return response
}
