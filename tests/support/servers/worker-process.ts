import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { TestServer } from '#tests/support/servers/test-server.ts'

/** A real worker in its own process (`tests/chaos/worker.ts`), which the test can kill or pause. */
export type WorkerProcess = {
  pid: number
  /** Returns its output on standard error. */
  errorOutput(): string
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>
  stop(): void
  resume(): void
}

/** Starts a worker on the server's database and resolves when it accepts work. It ends with its test. */
export async function startWorkerProcess(
  { databaseUrl, env }: Pick<TestServer, 'databaseUrl' | 'env'>,
  settings: Record<string, string> = {}
): Promise<WorkerProcess> {
  const child = spawn(process.execPath, ['tests/chaos/worker.ts'], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      NODE_COMPILE_CACHE: join(tmpdir(), 'waystation-compile-cache'),
      NODE_NO_WARNINGS: '1',
      DATABASE_URL: databaseUrl(),
      WAYSTATION_ROLE: 'worker',
      WAYSTATION_API_KEY: 'the-admin-key-of-every-test',
      AUTH_SECRET: env.authSecret,
      WAYSTATION_VAULT_KEY: env.vaultKeys.join(','),
      WAYSTATION_EGRESS_ALLOW: env.egressAllow.join(','),
      ...(env.environment.OPENAI_BASE_URL
        ? { OPENAI_BASE_URL: env.environment.OPENAI_BASE_URL, OPENAI_API_KEY: 'none' }
        : {}),
      ...settings
    },
    stdio: ['pipe', 'pipe', 'pipe']
  })
  const exited = once(child, 'exit')
  let errorOutput = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    errorOutput += text
  })
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  const ready = await Promise.race([once(child.stdout, 'data').then(() => true), exited.then(() => false)])
  if (!ready) throw new Error(`The worker did not start:\n${errorOutput}`)
  return {
    pid: child.pid ?? 0,
    errorOutput: () => errorOutput,
    kill,
    stop: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT')
  }
}
