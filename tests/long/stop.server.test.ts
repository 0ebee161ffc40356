import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { birthOf } from '#scripts/postgres/processes.ts'
import { createDatabase } from '#tests/support/servers/database.ts'
import { startServer } from '#tests/support/servers/start-server.ts'

test('a server that is asked to stop during a stream exits within ten seconds', async () => {
  const server = await startServer({ DATABASE_URL: (await createDatabase()).url })
  const headers = { authorization: `Bearer ${server.apiKey}` }
  const stream = await fetch(`${server.url}/api/sessions/welcome/events?after=0`, { headers })
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  const began = performance.now()
  server.process.kill('SIGTERM')
  await stream.text().catch(() => 'cut off')
  expect(await server.exited).toBe(0)
  expect(performance.now() - began).toBeLessThan(10_000)
})

const lanes = 4
const stops = 40

test.skipIf(process.platform !== 'linux')(
  '22 B6: each of 40 stops of npm start on a busy machine leaves no process behind after ten seconds',
  { timeout: 3_600_000 },
  async () => {
    const counted = Array.from({ length: stops }, (_, n) => n)
    // The parallel runs keep the machine busy.
    await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        const dir = await mkdtemp(join(tmpdir(), 'waystation-stops-'))
        onTestFinished(async () => {
          for (const pid of await living(dir)) signal(pid, 'SIGKILL')
          await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
        })
        for (const n of counted.filter(n => n % lanes === lane)) await stopOnce(dir, n)
      })
    )
  }
)

/** Starts everything in this directory, sends the signals for stop `n`, and waits until no process is left. */
async function stopOnce(dir: string, n: number) {
  const npm = spawn('npm', ['start'], {
    env: {
      NODE_ENV: 'production',
      PATH: process.env.PATH,
      HOME: dir,
      PORT: String(22_000 + n),
      WAYSTATION_DATA_DIR: dir
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let output = ''
  npm.stdout.setEncoding('utf8').on('data', text => {
    output += text
  })
  await expect.poll(() => output, { timeout: 120_000 }).toMatch(/^Waystation is ready/m)
  expect((await living(dir)).length).toBeGreaterThan(3)
  const group = -(npm.pid ?? 0)
  const began = performance.now()
  const pressCtrlC = () => birthOf(npm.pid ?? 0) !== undefined && signal(group, 'SIGINT')
  // Signals npm alone, the whole group as a terminal does, or each process. npm ignores a SIGINT to itself alone.
  if (n % 3 === 0) npm.kill(n % 2 === 0 ? 'SIGTERM' : 'SIGHUP')
  if (n % 3 === 1) pressCtrlC()
  if (n % 3 === 2) for (const pid of await living(dir)) if (await isOurs(pid)) signal(pid, 'SIGTERM')
  const remaining = async () => {
    // Imitates a user who presses Ctrl+C again and again.
    if (n % 2 === 0) pressCtrlC()
    return (await living(dir)).length
  }
  await expect.poll(remaining, { timeout: 30_000 }).toBe(0)
  expect(performance.now() - began, `stop ${n}`).toBeLessThan(10_000)
  if (npm.exitCode === null && npm.signalCode === null) await once(npm, 'exit')
}

/**
 * Returns the running processes with this directory in their environment (proc(5)) or, for Postgres, in their
 * command line.
 */
async function living(dir: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(pid => pid > 0)
  const matches = await Promise.all(
    pids.map(async pid => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      const matches = environment.includes(`WAYSTATION_DATA_DIR=${dir}\0`) || command.includes(`${dir}/`)
      return matches && birthOf(pid) !== undefined
    })
  )
  return pids.filter((_, n) => matches[n])
}

/** True for npm, the starter and the server, which stop Postgres themselves. */
const isOurs = async (pid: number) =>
  /npm|start\.mjs|server\.ts/.test(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))

/** Sends a signal to a process, or to a group if the number is negative. Ignores a process that has already ended. */
function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
