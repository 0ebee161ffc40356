import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { birthOf } from '#scripts/postgres/processes.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waystation-start-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

test('22 B6: npm start tells its steps and their times, says last that it is ready, and stops whole however often it is asked to', async () => {
  const start = npmStart({ PORT: String(await freePort()) })
  const words = await start.says(/^Waystation is ready: .*\n/m)
  const steps = [...words.matchAll(/^(\d\/6) .*… (\d+(\.\d)? s|nothing to do)$/gm)].map(
    ([, number]) => number
  )
  expect(steps).toEqual(['1/6', '2/6', '3/6', '4/6', '5/6', '6/6'])
  expect(words.trimEnd().split('\n').at(-1)).toMatch(
    /^Waystation is ready: http:\/\/localhost:\d+ \(local mode, demo model\)$/
  )

  const postgres = Number.parseInt(await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8'), 10)
  expect(birthOf(postgres)).toBeDefined()
  // A terminal, npm and a supervisor may each send one.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) start.process.kill(signal)
  expect(await start.exited).toBe(0)
  expect(birthOf(postgres)).toBeUndefined()
})

test('a port in use is told before anything else is done', async () => {
  const squatter = createServer().listen(0, '127.0.0.1')
  await once(squatter, 'listening')
  const { port } = squatter.address() as AddressInfo
  const start = npmStart({ PORT: String(port) })
  expect(await start.exited).toBe(1)
  expect(start.said()).toMatch(new RegExp(`1/6 .*failed\\s+Port ${port} is in use.*PORT=${port + 1}`))
  squatter.close()
})

/** Runs what `npm start` runs. The pages are built already when this is one of all tests. */
function npmStart(settings: Record<string, string>) {
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    env: { NODE_ENV: 'production', PATH: process.env.PATH, WAYSTATION_DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let words = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      words += text
    })
  const exited = new Promise<number | null>(done => child.once('close', done))
  return {
    process: child,
    exited,
    said: () => words,
    /** Everything it said until then. */
    async says(expected: RegExp) {
      await expect.poll(() => words, { timeout: 25_000 }).toMatch(expected)
      return words
    }
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
