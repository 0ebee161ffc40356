/**
 * `npm run demo` records the animation of the README in light and dark. An agent asks for an approval, the server
 * is killed and restarted, the user approves, and the run continues. The script starts its own servers and kills
 * them with SIGKILL. It writes `docs/images/demo-light.webp` and `docs/images/demo-dark.webp`, at most 3 MB each.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, selectors } from '@playwright/test'
import { root } from '#scripts/setup/root.mjs'
import { findChromium } from '#tests/support/browser/chromium.ts'
import { Film } from './film.ts'

const port = 3210
const maxBytes = 3 * 1024 * 1024

selectors.setTestIdAttribute('data-hook')
const browser = await chromium.launch(await findChromium())
try {
  for (const scheme of ['light', 'dark'] as const) {
    const path = join(root, 'docs', 'images', `demo-${scheme}.webp`)
    const bytes = await record(scheme, path)
    console.log(`${path}: ${Math.round(bytes / 1024)} KiB`)
    if (bytes > maxBytes) throw new Error(`${path} is larger than 3 MB.`)
  }
} finally {
  await browser.close()
}

async function record(scheme: 'light' | 'dark', path: string): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'waystation-demo-'))
  const starter = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), WAYSTATION_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  try {
    const film = await Film.of(browser, scheme)
    await play(film, starter, await linkOf(starter))
    return await film.write(path)
  } finally {
    const exited = once(starter, 'exit')
    if (starter.kill('SIGTERM')) await exited
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function play(film: Film, starter: ChildProcess, link: string): Promise<void> {
  const { page } = film
  const hook = (name: string) => page.getByTestId(name)
  const approve = hook('dock').locator('[data-hook="approve-call"]')
  await page.goto(link)
  await hook('continue-as-local-owner').click()
  await page.waitForURL(/\/sessions\/welcome$/)
  await hook('starter').first().waitFor()

  film.caption('An agent with a tool that needs an approval')
  film.prints('npm start', 'typed')
  film.prints(`Waystation is ready: http://localhost:${port}`)
  await film.shows(1800)
  await hook('starter')
    .filter({ hasText: /fetch http/ })
    .click()
  await film.until(() => approve.isVisible())
  film.caption('1. The agent asks. The run stops and waits in Postgres.')
  await film.shows(2600)

  // `npm start` does not restart a server that exits within 10 s of its start.
  await page.waitForTimeout(10_000)
  film.caption('2. The server is killed.')
  const pid = serverOf(starter)
  film.prints(`kill -9 ${pid}`, 'typed')
  await film.shows(1200)
  process.kill(pid, 'SIGKILL')
  await film.until(async () => (await health()) === undefined)
  film.prints('The server exited unexpectedly and is restarting. No accepted request is lost.')
  await film.shows(1000)
  await film.until(async () => (await health()) !== undefined)
  await page.reload()
  await film.until(() => approve.isVisible())
  film.caption('3. It is back. The same request waits, with the same deadline.')
  film.prints(`Waystation is ready: http://localhost:${port}`)
  await film.shows(3000)

  film.caption('4. A new message does not end the wait.')
  const replies = page.locator('[data-hook="message-bubble"][data-role="assistant"]')
  const before = await replies.count()
  await page.locator('[data-composer]').fill('say hello')
  await film.shows(600)
  await page.keyboard.press('ControlOrMeta+Enter')
  await film.until(async () => (await replies.count()) > before)
  await film.shows(2200)

  film.caption('5. The approval is given, and the run continues where it stopped.')
  const beforeApproval = await replies.count()
  await approve.click()
  await film.until(async () => (await replies.count()) > beforeApproval)
  await film.until(() => hook('waited').isVisible())
  await film.shows(3500)
}

/** Returns the sign-in link that `npm start` prints when it is ready. */
function linkOf(starter: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    starter.stdout?.on('data', chunk => {
      output += chunk
      const [link] = /http:\/\/\S+\/local\/\S+(?=\s)/.exec(output) ?? []
      if (link !== undefined) resolve(link)
    })
    starter.once('exit', () => reject(new Error(`The server did not start:\n${output}`)))
  })
}

/** Returns the process ID of the server that `npm start` supervises. */
function serverOf({ pid }: ChildProcess): number {
  const output = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' })
  for (const line of output.split('\n')) {
    const [child, parent, ...command] = line.trim().split(/\s+/)
    if (Number(parent) === pid && command.includes('server.ts')) return Number(child)
  }
  throw new Error('No server runs.')
}

/** Returns the status of the health endpoint, or undefined while the server is down. */
async function health(): Promise<number | undefined> {
  const response = await fetch(`http://localhost:${port}/api/health`).catch(() => undefined)
  return response?.ok ? response.status : undefined
}
