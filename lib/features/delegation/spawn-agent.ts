import { spawnTool } from '@waystation/protocol/agent/agent.ts'
import { SpawnResult } from '@waystation/protocol/agent/spawn-result.ts'
import { SpawnAgent } from '@waystation/protocol/agent/sub-agent.ts'
import { z } from 'zod'
import type { Tool } from '#lib/tools/tool.ts'

/**
 * The tool by which an agent delegates a part of its work (001-16). The sub-agent works in a session of its
 * own, and the call stays open until it reports. No code runs for the call in this step.
 */
export const spawnAgent: Tool<SpawnAgent, SpawnResult> = {
  name: spawnTool,
  description:
    'Delegate a part of your work to another agent, in a conversation of its own. Its last message is the result. Several sub-agents can work in parallel. While it works, the result names its session. An external agent works outside of this system and can take days.',
  input: SpawnAgent,
  output: z.object(SpawnResult.shape),
  where: 'agent',
  title: ({ task }) => taskTitle(task)
}

/** Returns the title of the call and of the sub-agent's session: the start of the task. */
export const taskTitle = (task: string): string => {
  const [line = ''] = task.trim().split('\n')
  return `Sub-task: ${line.length > 50 ? `${line.slice(0, 50).toWellFormed()}…` : line}`
}
