import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { expect, onTestFinished } from 'vitest'
import { checkServer } from '#lib/features/connections/mcp/check-server.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { freePort } from '#tests/support/worlds/free-port.ts'

const require = createRequire(import.meta.url)

/** The reference server of MCP, on a free port, for one test; its address by this transport. */
export async function serveEverything(transport: 'streamableHttp' | 'sse'): Promise<string> {
  const port = await freePort()
  const entry = require.resolve('@modelcontextprotocol/server-everything/dist/index.js')
  const server = spawn(process.execPath, [entry, transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  onTestFinished(async () => {
    const gone = once(server, 'exit')
    server.kill('SIGKILL')
    await gone
  })
  const isUp = new Promise<void>((resolve, reject) => {
    server.once('exit', () => reject(new Error('The reference server ended.')))
    server.stderr.on('data', said => /on port/.test(String(said)) && resolve())
  })
  await isUp
  return `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`
}

/** Waits until an MCP server has listed its tools once: on a full machine that takes longer than a turn waits for it. */
export async function hasListed(ctx: Ctx, server: string): Promise<void> {
  const found = async () => (await checkServer(ctx, { server })).found
  await expect.poll(found, { timeout: 60_000 }).toBe('ok')
}
