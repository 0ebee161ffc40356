import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { expect, onTestFinished } from 'vitest'
import { checkServer } from '#lib/features/connections/mcp/check-server.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { freePort } from '#tests/support/servers/free-port.ts'

const require = createRequire(import.meta.url)

/** Starts the MCP reference server on a free port for one test. Returns its URL for this transport. */
export async function serveEverything(transport: 'streamableHttp' | 'sse'): Promise<string> {
  const port = await freePort()
  const entry = require.resolve('@modelcontextprotocol/server-everything/dist/index.js')
  const server = spawn(process.execPath, [entry, transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  onTestFinished(async () => {
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
  })
  const started = new Promise<void>((resolve, reject) => {
    server.once('exit', () => reject(new Error('The reference server ended.')))
    server.stderr.on('data', output => /on port/.test(String(output)) && resolve())
  })
  await started
  return `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`
}

/** Waits until an MCP server has listed its tools once. On a busy machine that takes longer than a turn waits. */
export async function hasListed(ctx: Ctx, server: string): Promise<void> {
  const check = async () => (await checkServer(ctx, { server })).found
  await expect.poll(check, { timeout: 60_000 }).toBe('ok')
}
