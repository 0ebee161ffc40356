import { setTimeout as pause } from 'node:timers/promises'
import type { McpTools } from '@waystation/protocol/agent/agent.ts'
import { sandboxError } from '@waystation/sandbox'
import { createSession } from '#lib/sessions/create-session.ts'
import { programList } from '#tests/support/fakes/program-list.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/**
 * False on machines without a sandbox, where the server rejects sandboxed programs. All other programs are tested
 * anyway.
 */
export const boxed = (await sandboxError()) === undefined

/** Starts a server with these programs, and a session of an agent with the program named `mcp`. */
export async function withPrograms(
  servers: Record<string, object>,
  mcp: string,
  { role = 'all', ...more }: Partial<McpTools> & { role?: 'all' | 'web' } = {}
) {
  const settings = { WAYSTATION_MCP_STDIO: programList(servers) }
  const server = await startTestServer({ settings: { ...settings, WAYSTATION_ROLE: role } })
  const agentId = await server.saveAgent({ chat: { tools: [{ mcp, approval: 'auto', ...more }] } })
  const { sessionId } = await createSession(server.ctx, { agentId })
  const session = await server.reopenSession(sessionId)
  const last = async () => (await session.get()).calls.at(-1)
  return { ...server, settings, session, last }
}

/** Returns true if a process with this ID is running. */
export const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Resolves when no process with this ID is running. */
export async function isGone(pid: number) {
  while (isAlive(pid)) await pause(50)
}

/** A program that keeps running after its input ends. */
export const stays = { hello: 'setInterval(() => undefined, 1000)' }
