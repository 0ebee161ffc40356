import { setTimeout as pause } from 'node:timers/promises'
import { sandboxFault } from '#lib/infra/sandbox/sandbox.ts'
import type { McpTools } from '#lib/protocol/agent/agent.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { programList } from '#tests/support/fakes/program-list.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

/** Where no sandbox can be had, what runs in one is refused; the rest is tested all the same. */
export const boxed = (await sandboxFault()) === undefined

/** A world with these programs, and a session of an agent that has the one named `mcp`. */
export async function withPrograms(
  servers: Record<string, object>,
  mcp: string,
  { role = 'all', ...more }: Partial<McpTools> & { role?: 'all' | 'web' } = {}
) {
  const settings = { WAYSTATION_MCP_STDIO: programList(servers) }
  const world = await testWorld({ settings: { ...settings, WAYSTATION_ROLE: role } })
  const agentId = await world.agent({ chat: { tools: [{ mcp, approval: 'auto', ...more }] } })
  const { sessionId } = await createSession(world.ctx, { agentId })
  const session = await world.reopen(sessionId)
  const last = async () => (await session.get()).calls.at(-1)
  return { ...world, settings, session, last }
}

export const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Resolves when nothing of this number runs any more. */
export async function isGone(pid: number) {
  while (isAlive(pid)) await pause(50)
}

/** A program that does not end with its input. */
export const stays = { hello: 'setInterval(() => undefined, 1000)' }
