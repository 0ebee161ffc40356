import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { recordErrorLines } from '#tests/support/expected-errors.ts'

/** A complete Waystation, like a user would run it, with its own database and data directory. */
export type ServerProcess = {
  /** `http://localhost:<port>`, without a trailing slash. */
  url: string
  /** An admin key of its default workspace. */
  apiKey: string
  /** The complete line `Waystation is ready: …`. */
  readyLine: string
  /** In local mode: the link that signs in one browser. */
  link: string
  /** The server process, for tests that kill it. */
  process: ChildProcess
  /** Resolves with the exit code, or null if a signal ended the process. */
  exited: Promise<number | null>
  /** The directory of its database. Another start with this directory continues its data. */
  dataDir: string
  /** Stops it, waits for its exit and deletes its data. */
  stop(): Promise<void>
}

/**
 * Starts `server.ts` on a free port and resolves when it is ready. Throws its error output if it does not start.
 * Needs the built pages, which `npm test` builds. Like with `npm start`, the server has an IPC channel to this
 * process, so it ends if this process is killed. A log line of level `error` fails the current test.
 */
export async function startServer(settings: Record<string, string> = {}): Promise<ServerProcess> {
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
  let errorOutput = ''
  if (server.stderr)
    createInterface({ input: server.stderr }).on('line', line => {
      errorOutput += `${line}\n`
      recordErrorLines('server', line)
    })
  return new Promise<string>((done, fail) => {
    server.on('message', ({ ready, failed }: { ready?: string; failed?: string }) => {
      if (ready) done(ready)
      if (failed) fail(new Error(failed))
    })
    server.once('exit', () => fail(new Error(`The server ended before it was ready: ${errorOutput}`)))
  })
}
