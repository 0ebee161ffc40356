import { isDeepStrictEqual } from 'node:util'
import { agentIfAny } from '#lib/agents/agent-for.ts'
import { createAgent } from '#lib/agents/create.ts'
import { updateAgent } from '#lib/agents/update.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { AgentConfig } from '#lib/protocol/agent/agent.ts'
import type { WorkspaceAgent } from './read-agents.ts'

/**
 * Makes the agents of a workspace what its file says, each that differs as a new revision: the file's word is the last, also over
 * what somebody saved by hand. Agents that no file names are left alone. Several processes may do it at once.
 */
export async function keepAgents(
  ctx: Ctx,
  agents: readonly WorkspaceAgent[],
  builtIn: (tool: string) => boolean
): Promise<void> {
  for (const agent of agents) {
    const config = configOf(agent, builtIn)
    const before = await agentIfAny(ctx, config.agentId)
    try {
      if (before === undefined) await createAgent(ctx, config)
      else {
        const { revision, updatedAt, ...saved } = before
        if (!isDeepStrictEqual(AgentConfig.parse(saved), config))
          await updateAgent(ctx, { ...config, revision, updatedAt })
      }
    } catch (error) {
      // Another process was first, with the same file.
      if (!(error instanceof Refusal && error.code === 'CONFLICT')) throw error
    }
  }
}

/** A tool that this server does not bring is a plugin's, whichever has it first. */
function configOf(
  { name, model, instructions, tools, handoffs }: WorkspaceAgent,
  builtIn: (tool: string) => boolean
): AgentConfig {
  const theirs = tools.filter(tool => !builtIn(tool))
  return AgentConfig.parse({
    agentId: name,
    displayName: name,
    chat: {
      ...(model === undefined ? {} : { model }),
      ...(instructions === undefined ? {} : { instructions }),
      tools: [
        ...tools.filter(builtIn).map(name => ({ name })),
        ...(theirs.length === 0 ? [] : [{ plugin: '*', tools: theirs }])
      ],
      ...(handoffs.length === 0 ? {} : { handoffs })
    }
  })
}
