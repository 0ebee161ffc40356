import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { birthOf } from '#scripts/postgres/processes.ts'
import { freePort } from '#tests/support/servers/free-port.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waystation-start-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

test('22 A6, 22 B6: npm start and npm run link print sign-in links, sign-ins survive a restart, and repeated signals stop everything once', async () => {
  const settings = { PORT: String(await freePort()) }
  const start = npmStart(settings)
  const output = await start.waitForOutput(/^Waystation is ready: .*\n.*\n/m)
  const steps = [...output.matchAll(/^(\d\/6) .*… (\d+(\.\d)? s|nothing to do)$/gm)].map(
    ([, number]) => number
  )
  expect(steps).toEqual(['1/6', '2/6', '3/6', '4/6', '5/6', '6/6'])
  const [ready, printed = ''] = output.trimEnd().split('\n').slice(-2)
  expect(ready).toMatch(/^Waystation is ready: http:\/\/localhost:\d+ \(local mode, demo model\)$/)

  const url = `http://localhost:${settings.PORT}`
  const status = async (cookie = '') => (await fetch(`${url}/api/sessions`, { headers: { cookie } })).status
  const signIn = async (output: string) => {
    const [link = ''] = /http\S+\/local\/\S+/.exec(output) ?? []
    const response = await fetch(link, { method: 'POST', redirect: 'manual' })
    return { status: response.status, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  }
  expect(await status()).toBe(401)
  expect(await signIn(`${url}/local/guess`)).toEqual({ status: 401, cookie: '' })
  const link = await npmRunLink(settings)
  const signedIn = await signIn(link.output)
  expect([link.code, signedIn.status, await status(signedIn.cookie)]).toEqual([0, 303, 200])
  expect((await signIn(link.output)).status).toBe(401)
  expect((await signIn(printed)).status).toBe(303)
  expect((await stat(join(dataDir, 'auth-secret'))).mode & 0o777).toBe(0o600)
  const elsewhere = await npmRunLink({ ...settings, AUTH_SECRET: 'a secret of another server' })
  expect(elsewhere).toMatchObject({ code: 1, output: expect.stringContaining(dataDir) })

  const postgres = Number.parseInt(await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8'), 10)
  expect(birthOf(postgres)).toBeDefined()
  // A terminal, npm and a supervisor can each send a signal.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) start.process.kill(signal)
  expect(await start.exited).toBe(0)
  expect(birthOf(postgres)).toBeUndefined()
  const missing = await npmRunLink(settings)
  expect(missing).toMatchObject({ code: 1, output: expect.stringContaining('npm start') })

  const again = npmStart(settings)
  await again.waitForOutput(/^Waystation is ready: .*\n/m)
  expect(await status(signedIn.cookie)).toBe(200)
  again.process.kill('SIGTERM')
  expect(await again.exited).toBe(0)
})

test('npm start reports a port in use before any other step', async () => {
  const squatter = createServer().listen(0, '127.0.0.1')
  await once(squatter, 'listening')
  const { port } = squatter.address() as AddressInfo
  const start = npmStart({ PORT: String(port) })
  expect(await start.exited).toBe(1)
  expect(start.output()).toMatch(new RegExp(`1/6 .*failed\\s+Port ${port} is in use.*PORT=${port + 1}`))
  squatter.close()
})

/** Runs the script of `npm run link` to its end. */
async function npmRunLink(settings: Record<string, string>) {
  const link = run('scripts/link.mjs', settings)
  const code = await link.exited
  return { code, output: link.output() }
}

/** Runs the script of `npm start`. In a full test run, the pages are already built. */
const npmStart = (settings: Record<string, string>) => run('scripts/start.mjs', settings)

function run(script: string, settings: Record<string, string>) {
  const child = spawn(process.execPath, [script], {
    env: { NODE_ENV: 'production', PATH: process.env.PATH, WAYSTATION_DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  const exited = new Promise<number | null>(done => child.once('close', done))
  return {
    process: child,
    exited,
    output: () => output,
    /** Waits until the output matches. Returns the output so far. */
    async waitForOutput(expected: RegExp) {
      await expect.poll(() => output, { timeout: 25_000 }).toMatch(expected)
      return output
    }
  }
}
