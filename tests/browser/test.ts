import { test as base, expect, type Page } from '@playwright/test'
import { takeErrors } from '#tests/support/expected-errors.ts'
import { cookieFor } from '#tests/support/servers/sign-in-cookie.ts'
import { startWorkerServer, type WorkerServer, workerSignIn } from './start-worker-server.ts'

export * from '@playwright/test'

/** The header with the admin key of the default workspace of every test server. */
export const key = { authorization: 'Bearer the-admin-key-of-every-test' }

/** The secret that signs the cookies of every test server, so that tests can sign in with a cookie. */
export const authSecret = 'a secret of thirty-two characters'

type Options = {
  /** Errors that the page and the server are allowed to log during the test: `test.use({ allowedError: /…|…/ })`. */
  allowedError: RegExp | undefined
  /** False opens the pages as a visitor. By default, the local owner is signed in. */
  signedIn: boolean
}

type WorkerOptions = {
  /**
   * Settings of the server, which by default can reach 127.0.0.1. Files with the same object share a server in each
   * worker. Playwright compares identities: equal literals in two files start two servers. `own` is the reason for a
   * separate server.
   */
  serverOptions: { own?: string; settings?: Record<string, string> }
}

type Fixtures = {
  /** Calls the API with the admin key of the workspace and returns the parsed body. Throws on an error status. */
  api: Api
  /** The URL of the session page without a server behind it: `/?state=parked`. */
  statesUrl: string
  /** Returns an ID that no other test uses, so that a test can be repeated on the same server. */
  id: (name: string) => string
}

export type Api = <T>(method: string, path: string, body?: unknown) => Promise<T>

/**
 * The base test for browsers: each worker has a server with its own database and a signed-in cookie. Opened pages
 * are awaited until they are interactive (`html[data-alive]`), also in contexts that a test opens itself. A
 * `console.error`, an uncaught page error or a log line of level `error` fails the test.
 */
export const test = base.extend<Options & Fixtures, WorkerOptions & { server: WorkerServer }>({
  allowedError: [undefined, { option: true }],
  signedIn: [true, { option: true }],
  serverOptions: [{ settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' } }, { option: true, scope: 'worker' }],

  browser: [
    async ({ browser }, use) => {
      const { newContext } = browser
      browser.newContext = async options => {
        const context = await newContext.call(browser, options)
        context.on('page', awaitAlive)
        return context
      }
      await use(browser)
    },
    { scope: 'worker' }
  ],

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
    context.on('weberror', webError => {
      const { name, stack, message } = webError.error()
      // A DOMException has an empty stack.
      errors.push(`uncaught: ${stack || `${name}: ${message}`}`)
    })
    context.on('console', message => {
      if (message.type() === 'error') errors.push(`console.error: ${message.text()}`)
    })
    await use(context)
    const all = [...errors, ...takeErrors().map(({ source, text }) => `${source}: ${text}`)]
    const unexpected = all.filter(
      text => !allowedError?.test(text) && !alwaysAllowed.some(pattern => pattern.test(text))
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

  // Playwright reads the fixtures that are needed from this pattern. This one needs none.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  statesUrl: async ({}, use) => use(process.env.WAYSTATION_TEST_STATES ?? ''),

  // biome-ignore lint/correctness/noEmptyPattern: see above
  id: async ({}, use, { testId, repeatEachIndex, retry }) => {
    await use(name => `${name}-${testId.slice(-8)}-${repeatEachIndex}${retry}`)
  }
})

/**
 * Errors that are allowed in every test. Chromium logs each response with status 400 or higher and each failed
 * socket, and tests of errors check the page.
 */
const alwaysAllowed = [
  /^console\.error: Failed to load resource: /,
  /^console\.error: WebSocket connection to /
]

/** Waits until an opened or reloaded page is interactive, if it is one of our own pages. */
function awaitAlive(page: Page): void {
  const { goto, reload } = page
  page.goto = async (...args) => afterAlive(page, await goto.apply(page, args))
  page.reload = async (...args) => afterAlive(page, await reload.apply(page, args))
}

async function afterAlive<T>(page: Page, response: T): Promise<T> {
  await page.waitForFunction(() => {
    if (!document.querySelector('script[data-early-clicks]')) return true
    // A part with its own loading state can hydrate later. Until then, it has no hotkeys, and hydration moves the
    // cursor of a field to its start.
    const isHydrated = (element: Element) => Object.keys(element).some(key => key.startsWith('__reactProps$'))
    const controls = [...document.querySelectorAll('button, input:not([type=hidden]), textarea, select')]
    if (!('alive' in document.documentElement.dataset && controls.every(isHydrated))) return false
    // The effects of the hydrated part run before the browser is idle.
    return new Promise(resolve => requestIdleCallback(() => resolve(true)))
  })
  return response
}
