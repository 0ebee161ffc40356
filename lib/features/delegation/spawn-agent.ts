import { spawnTool } from '#lib/protocol/agent/agent.ts'
import { SpawnAgent, Spawned } from '#lib/protocol/agent/sub-agent.ts'
import type { Tool } from '#lib/tools/tool.ts'

/**
 * An agent has another one do a part of its work (001-16): in a session of its own, on which its call waits as any call waits
 * for somebody else. Nothing of ours runs for it here.
 */
export const spawnAgent: Tool<SpawnAgent, Spawned> = {
  name: spawnTool,
  description:
    'Delegate a part of your work to another agent, in a conversation of its own. Its last message is the result. Several sub-agents can work in parallel.',
  input: SpawnAgent,
  output: Spawned,
  where: 'agent',
  title: ({ task }) => taskTitle(task)
}

/** As its session is called, too: the first words of the task. */
export const taskTitle = (task: string): string => {
  const [line = ''] = task.trim().split('\n')
  return `Sub-task: ${line.length > 50 ? `${line.slice(0, 50).toWellFormed()}…` : line}`
}
