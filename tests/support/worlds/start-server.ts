import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { recordErrorLines } from '#tests/support/expected-errors.ts'

/** A whole Waystation, as a person would run it, with a database and a data directory of its own. */
export type TestServer = {
  /** `http://localhost:<port>`, without a trailing slash. */
  url: string
  /** An admin key of its default workspace. */
  apiKey: string
  /** `Waystation is ready: …`, whole. */
  readyLine: string
  /** In local mode: the link that signs in one browser. */
  link: string
  /** The process that serves: for those who kill it. */
  process: ChildProcess
  /** Its exit code, once it has ended; null when a signal ended it. */
  exited: Promise<number | null>
  /** The directory it keeps its database in; given to another start, that one continues. */
  dataDir: string
  /** Asks it to stop, waits for its end and removes its data. */
  stop(): Promise<void>
}

/**
 * Starts `server.ts` on a free port and resolves when it is ready; throws what it says when it does not come up. The
 * pages must have been built (`npm test` sees to that). It holds a channel to us, as `npm start` does, and so ends
 * when we are killed. A log line of level `error` fails the test that runs.
 */
export async function startServer(settings: Record<string, string> = {}): Promise<TestServer> {
  const dataDir = settings.WAYSTATION_DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'waystation-e2e-')))
  const apiKey = settings.WAYSTATION_API_KEY ?? 'the-admin-key-of-every-test'
  const server = spawn(process.execPath, ['server.ts'], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: join(tmpdir(), 'waystation-compile-cache'),
      PORT: '0',
      WAYSTATION_DATA_DIR: dataDir,
      WAYSTATION_API_KEY: apiKey,
      ...settings
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc']
  })
  const exited = new Promise<number | null>(done => server.once('exit', done))
  const readyLine = await readyLineOf(server)
  return {
    url: readyLine.split(' ')[3] ?? '',
    readyLine,
    link: /http\S+\/local\/\S+/.exec(readyLine)?.[0] ?? '',
    apiKey,
    process: server,
    exited,
    dataDir,
    async stop() {
      server.kill('SIGTERM')
      await exited
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    }
  }
}

function readyLineOf(server: ChildProcess) {
  let complaints = ''
  if (server.stderr)
    createInterface({ input: server.stderr }).on('line', line => {
      complaints += `${line}\n`
      recordErrorLines('server', line)
    })
  return new Promise<string>((done, fail) => {
    server.on('message', ({ ready, failed }: { ready?: string; failed?: string }) => {
      if (ready) done(ready)
      if (failed) fail(new Error(failed))
    })
    server.once('exit', () => fail(new Error(`The server ended before it was ready: ${complaints}`)))
  })
}
