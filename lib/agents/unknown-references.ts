import type { AgentConfig, ChatConfig } from '@waystation/protocol/agent/agent.ts'
import type { AgentWarning } from '@waystation/protocol/agent/agent-revision.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { unknownTools } from './unknown-tools.ts'

declare module '#lib/kernel/ctx.ts' {
  interface Ports {
    /** Returns false if the workspace has no provider for a model. */
    readonly knowsModel: (ctx: Ctx, model: string) => Promise<boolean>
  }
}

/**
 * Returns a warning for each thing that a configuration names and that does not exist: a tool, a handler, a plugin, the
 * provider of its model, or another agent. It can exist later, so the configuration can still be saved and published.
 */
export async function unknownReferences(ctx: Ctx, config: AgentConfig): Promise<AgentWarning[]> {
  if (config.type !== 'chat') return []
  const { chat } = config
  const [model, plugins, agents] = await Promise.all([
    unknownModel(ctx, chat),
    missingPlugins(ctx, chat),
    missingAgents(ctx, config)
  ])
  return [
    ...model,
    ...unknownHandler(ctx, chat.handler),
    ...unknownTools(ctx, { ...chat, tools: [] }, chat.tools).map(({ index, name }) => ({
      field: `chat.tools.${index}.name`,
      message: `This server has no tool "${name}".`
    })),
    ...(chat.plugins ?? []).flatMap(({ name }, index) =>
      ctx.ports.listedPlugins.some(plugin => plugin.name === name)
        ? []
        : [
            {
              field: `chat.plugins.${index}.name`,
              message: `This server has no in-process plugin "${name}".`
            }
          ]
    ),
    ...plugins,
    ...agents,
    ...(chat.handoffs ?? []).flatMap((name, index) =>
      name === config.agentId
        ? [{ field: `chat.handoffs.${index}`, message: 'An agent cannot hand off to itself.' }]
        : []
    )
  ]
}

/** Returns the handler of a configuration or overlay if it does not exist, as a list of its path below `chat`. */
export function unknownHandler(ctx: Ctx, handler: string | undefined): AgentWarning[] {
  const handlers = ctx.ports.listedPlugins.flatMap(plugin => plugin.handlers ?? [])
  if (handler === undefined || handler === 'chat' || handlers.includes(handler)) return []
  const message = `There is no handler "${handler}". GET /api/plugins lists the handlers of plugins.`
  return [{ field: 'chat.handler', message }]
}

async function unknownModel(ctx: Ctx, { model }: ChatConfig): Promise<AgentWarning[]> {
  if (await ctx.ports.knowsModel(ctx, model)) return []
  return [{ field: 'chat.model', message: `This workspace has no provider for the model "${model}".` }]
}

/** The gRPC plugins of a model and of tools. */
async function missingPlugins(ctx: Ctx, { model, tools }: ChatConfig): Promise<AgentWarning[]> {
  const ofModel = /^plugin:([^/]+)\//.exec(model.trim())?.[1]
  const named = [
    ...(ofModel === undefined ? [] : [{ field: 'chat.model', name: ofModel }]),
    ...tools.flatMap((tool, index) =>
      'plugin' in tool && tool.plugin !== '*'
        ? [{ field: `chat.tools.${index}.plugin`, name: tool.plugin }]
        : []
    )
  ]
  if (named.length === 0) return []
  const added = await ctx.sql<{ name: string }[]>`
    select name from workspace_plugins where workspace_id = ${ctx.workspaceId}`
  const known = new Set(
    [...(ctx.ports.plugins?.list(ctx.workspaceId) ?? []), ...added].map(({ name }) => name)
  )
  return named.flatMap(({ field, name }) =>
    known.has(name) ? [] : [{ field, message: `This workspace has no plugin "${name}".` }]
  )
}

/** The agents that can take over a conversation, or start as sub-agents. */
async function missingAgents(
  ctx: Ctx,
  { agentId, chat }: Extract<AgentConfig, { type: 'chat' }>
): Promise<AgentWarning[]> {
  const named = [
    ...(chat.handoffs ?? []).map((name, index) => ({ field: `chat.handoffs.${index}`, name })),
    ...chat.tools.flatMap((tool, index) =>
      'agents' in tool
        ? (tool.agents ?? []).map((name, at) => ({ field: `chat.tools.${index}.agents.${at}`, name }))
        : []
    )
  ]
  if (named.length === 0) return []
  const rows = await ctx.sql<{ id: string }[]>`
    select id from agents
    where workspace_id = ${ctx.workspaceId} and id in ${ctx.sql(named.map(({ name }) => name))}`
  const known = new Set([agentId, ...rows.map(({ id }) => id)])
  return named.flatMap(({ field, name }) =>
    known.has(name) ? [] : [{ field, message: `This workspace has no agent "${name}".` }]
  )
}
