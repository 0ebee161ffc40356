import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A whole Waystation, as a person would run it, with a database and a data directory of its own. */
export type TestServer = {
  /** `http://localhost:<port>`, without a trailing slash. */
  url: string
  /** An admin key of its default workspace. */
  apiKey: string
  /** The process that serves. */
  pid: number
  /** The directory it keeps its database in; given to another start, that one continues. */
  dataDir: string
  /** Asks it to stop, waits for its end and removes its data. */
  stop(): Promise<void>
}

/**
 * Starts `server.ts` on a free port and resolves when it is ready. The pages must have been built (`npm test` sees
 * to that). What it says on standard error is shown if it does not come up.
 */
export async function startServer(settings: Record<string, string> = {}): Promise<TestServer> {
  const dataDir = settings.WAYSTATION_DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'waystation-e2e-')))
  const apiKey = settings.WAYSTATION_API_KEY ?? 'a-key-for-tests-only'
  const server = spawn(process.execPath, ['server.ts'], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      PORT: '0',
      WAYSTATION_DATA_DIR: dataDir,
      WAYSTATION_API_KEY: apiKey,
      ...settings
    },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const exited = once(server, 'exit')
  let complaints = ''
  server.stderr.setEncoding('utf8').on('data', text => {
    complaints += text
  })
  const url = await readyUrl(createInterface(server.stdout))
  if (!url) throw new Error(`The server did not start:\n${complaints}`)
  return {
    url,
    apiKey,
    pid: server.pid ?? 0,
    dataDir,
    async stop() {
      server.kill('SIGTERM')
      await exited
      await rm(dataDir, { recursive: true, force: true })
    }
  }
}

/** Undefined when the server ends without a word. */
async function readyUrl(lines: AsyncIterable<string>) {
  for await (const line of lines) {
    const url = /^Waystation is ready: (\S+)/.exec(line)?.[1]
    if (url) return url
  }
  return undefined
}
