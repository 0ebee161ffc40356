import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Api, test as base, expect, type Page } from '#tests/browser/test.ts'
import { demo } from '#tests/support/fakes/demo.ts'

type Shop = { origin: string; sessionId: string; shopper: string }

type Fixtures = {
  /** Starts the shop of examples/embed as its header describes, at an origin that the workspace allows. */
  openShop: (scopes?: string, agentId?: string) => Promise<Shop>
  /** Builds the two packages. */
  packages: undefined
}

/** Test for the embedded session on a page of another origin. The end user is not signed in. */
export const test = base.extend<Fixtures>({
  signedIn: false,

  packages: [
    // Playwright reads the fixtures that are needed from this pattern. This one needs none.
    // biome-ignore lint/correctness/noEmptyPattern: see above
    async ({}, use) => {
      await buildPackages()
      await use(undefined)
    },
    { timeout: 240_000 }
  ],

  openShop: async ({ server, api, id, packages: _ }, use) => {
    const shops: ChildProcess[] = []
    await use(async (scopes = 'read,send,answer', agentId = 'guide') => {
      const shopper = id('shopper')
      const shop = spawn(process.execPath, ['examples/embed/start.mjs'], {
        env: {
          NODE_ENV: 'production',
          PATH: process.env.PATH,
          WAYSTATION_URL: server.url,
          WAYSTATION_API_KEY: server.apiKey,
          PORT: '0',
          SHOPPER: shopper,
          SCOPES: scopes,
          AGENT: agentId
        },
        stdio: ['ignore', 'pipe', 'inherit']
      })
      shops.push(shop)
      const line = await new Promise<string>((done, fail) => {
        createInterface(shop.stdout).once('line', done)
        shop.once('exit', code => fail(new Error(`The shop did not open: ${code}`)))
      })
      const origin = line.split(' ').at(-1) ?? ''
      expect(new URL(origin).origin).not.toBe(new URL(server.url).origin)
      await api('PUT', '/api/workspace', { allowedOrigins: [origin] })
      return { origin, sessionId: `support-${shopper}`, shopper }
    })
    for (const shop of shops) shop.kill()
  }
})

/**
 * Builds the two packages once per run, because all workers share this folder. The first test builds them, and the
 * others wait.
 */
async function buildPackages(): Promise<void> {
  const lock = join(tmpdir(), `waystation-packages-${process.ppid}`)
  const [done, failed] = [join(lock, 'done'), join(lock, 'failed')]
  try {
    mkdirSync(lock)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    await expect.poll(() => existsSync(done) || existsSync(failed), { timeout: 240_000 }).toBe(true)
    if (existsSync(failed)) throw new Error('The packages could not be built.')
    return
  }
  try {
    for (const name of ['client', 'react'])
      execFileSync(process.execPath, [`packages/${name}/build.mjs`], { stdio: 'inherit' })
    writeFileSync(done, '')
  } catch (error) {
    writeFileSync(failed, '')
    throw error
  }
}

/** Returns the status of the embedded session: `idle`, `parked` and so on. */
export const face = (page: Page, kind: string) => page.locator(`[data-face=${kind}]`)

export async function typeMessage(page: Page, text: string): Promise<void> {
  await page.locator('[data-composer]').fill(text)
  await page.locator('[data-composer]').press('Enter')
}

/** Makes the demo model fetch a page of this server, and waits for the pending approval. */
export async function askToFetch(page: Page, url: string, waits = 'parked'): Promise<void> {
  await typeMessage(page, `fetch ${url}/samples/page`)
  await face(page, waits).waitFor()
}

/** Makes the demo model ask for a choice. */
export const askToChoose = (page: Page) => typeMessage(page, demo.askToChoose('tea', 'coffee'))

/** Gives the session the tool that requests an account, and makes the end user request one of Acme. */
export async function askForAccount(page: Page, api: Api, sessionId: string): Promise<void> {
  await typeMessage(page, 'hello there')
  await face(page, 'idle').waitFor()
  await api('PUT', `/api/sessions/${sessionId}/overlay`, { overlay: { tools: [requestConnection] } })
  await typeMessage(page, 'use request_connection {"integration": "acme"}')
  await page.getByTestId('connect-account').waitFor()
}

const requestConnection = {
  '@ag.embed': {
    '@ag.references': { workflow: { slug: '__ag__request_connection' } },
    '@ag.selector': { path: 'parameters.tool' }
  },
  name: 'request_connection'
}

/** Clicks a button of the account card and returns the window that opens. */
export async function openWindow(page: Page, hook = 'connect-account'): Promise<Page> {
  const popup = page.waitForEvent('popup')
  await page.getByTestId(hook).click()
  return popup
}

export type Call = { toolCallId: string; toolName: string; output?: unknown }
