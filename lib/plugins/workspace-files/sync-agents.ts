import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '@waystation/base/api-error.ts'
import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { agentIfAny } from '#lib/agents/agent-for.ts'
import { createAgent } from '#lib/agents/create.ts'
import { updateAgent } from '#lib/agents/update.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { BadSettings } from '#lib/kernel/settings/env.ts'
import type { WorkspaceAgent } from './read-agents.ts'

/**
 * Creates or updates the agents of a workspace to match its file, with a new revision for each changed agent.
 * The file overrides changes that people saved. Agents that the file does not name are left alone. Several
 * processes can run this at the same time. Throws `BadSettings` if an agent is not valid, for example because an embed
 * cannot be resolved.
 */
export async function syncAgents(
  ctx: Ctx,
  agents: readonly WorkspaceAgent[],
  builtIn: (tool: string) => boolean
): Promise<void> {
  for (const agent of agents) {
    const config = toConfig(agent, builtIn)
    const current = await agentIfAny(ctx, config.agentId)
    try {
      if (current === undefined) await createAgent(ctx, config)
      else {
        const { revision, updatedAt, ...saved } = current
        if (!isDeepStrictEqual(AgentConfig.parse(saved), config))
          await updateAgent(ctx, { ...config, revision, updatedAt })
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Another process has already saved the same file.
      if (error.code === 'CONFLICT') continue
      throw new BadSettings([
        `WAYSTATION_WORKSPACES: the agent "${config.agentId}" of the workspace "${ctx.workspaceId}" cannot be saved. ${error.message}`
      ])
    }
  }
}

/**
 * Converts an agent of a file to its configuration. A tool that the server does not have belongs to a plugin:
 * the first one that provides it.
 */
function toConfig(
  {
    name,
    displayName = name,
    description,
    approval,
    settings,
    external,
    outOfBand,
    ...agent
  }: WorkspaceAgent,
  builtIn: (tool: string) => boolean
): AgentConfig {
  const common = {
    agentId: name,
    displayName,
    ...(description === undefined ? {} : { description }),
    ...(outOfBand === undefined ? {} : { outOfBand })
  }
  if (external !== undefined) return AgentConfig.parse({ ...common, type: 'external', external })
  const { model, instructions, tools, handoffs } = agent
  const pluginTools = tools.filter(tool => !builtIn(tool))
  const approved = approval === undefined ? {} : { approval }
  return AgentConfig.parse({
    ...common,
    chat: {
      ...settings,
      ...(model === undefined ? {} : { model }),
      ...(instructions === undefined ? {} : { instructions }),
      tools: [
        ...tools.filter(builtIn).map(name => ({ name, ...approved })),
        ...(pluginTools.length === 0 ? [] : [{ plugin: '*', tools: pluginTools, ...approved }]),
        ...(settings?.tools ?? [])
      ],
      ...(handoffs.length === 0 ? {} : { handoffs })
    }
  })
}
