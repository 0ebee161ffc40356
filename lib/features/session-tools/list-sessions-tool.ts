import type { Tool } from '#lib/tools/tool.ts'
import { listSessionsForAgent } from './list-sessions-for-agent.ts'
import { AgentSessions, ListForAgent } from './seen-sessions.ts'

/** The tool by which an agent finds other sessions (004-11). */
export const listSessionsTool: Tool<ListForAgent, AgentSessions> = {
  name: 'list_sessions',
  description:
    'List other sessions that you can see, with their agents and what they wait for, last active first. Use it to find the session of an agent that you want to message.',
  input: ListForAgent,
  output: AgentSessions,
  where: 'server',
  title: () => 'List sessions',
  timeout: 10,
  repeatable: true,
  namesSession: true,
  execute: (input, { ctx, lease }) => listSessionsForAgent(ctx, lease, input)
}
