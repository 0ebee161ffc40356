import { ToolError } from '@waystation/base/known-error.ts'
import type { HostedPlugin, PluginTool } from '@waystation/plugin-host/contract.ts'
import type { JsonSchema, PluginTools } from '@waystation/protocol/agent/agent.ts'
import { anyArguments, foreignSeconds, foreignTool, toolNameOf } from './foreign-tool.ts'
import type { ToolSource } from './registry.ts'
import type { ResolvedTool } from './resolved-tool.ts'
import { sessionOrigin } from './session-origin.ts'
import type { Tool } from './tool.ts'

/**
 * Provides the tools of the workspace's plugins to agents that configure them. A plugin that is not running keeps the
 * tools of its last start.
 */
export const pluginSource: ToolSource = async (ctx, _, chat, { queryServers }) => {
  if (!chat.tools.some(tool => 'plugin' in tool)) return undefined
  const host = ctx.ports.plugins
  const plugins = (queryServers ? await host?.ready(ctx.workspaceId) : host?.of(ctx.workspaceId)) ?? []
  return {
    forEntry: (config, usedNames) =>
      'plugin' in config ? pluginTools(config, plugins, usedNames) : undefined
  }
}

/**
 * Returns the tools of gRPC plugins for an agent (003-9). Each keeps its plain name if that is free. Otherwise,
 * including for names in `usedNames`, it is `<plugin>__<tool>`.
 */
function pluginTools(
  config: PluginTools,
  plugins: readonly HostedPlugin[],
  usedNames: ReadonlySet<string>
): ResolvedTool[] {
  const names = new Set(usedNames)
  const tools: ResolvedTool[] = []
  for (const plugin of plugins) {
    if (config.plugin !== '*' && config.plugin !== plugin.name) continue
    for (const definition of plugin.tools) {
      if (config.tools !== undefined && !config.tools.includes(definition.name)) continue
      const plain = toolNameOf(definition.name)
      const name = names.has(plain) ? toolNameOf(`${plugin.name}__${definition.name}`) : plain
      if (names.has(name)) continue
      names.add(name)
      tools.push(pluginTool(config, plugin, definition, name))
    }
  }
  return tools
}

/** Calls go to the plugin's current process, because it can restart during a turn. */
function pluginTool(
  config: PluginTools,
  plugin: HostedPlugin,
  definition: PluginTool,
  name: string
): ResolvedTool {
  const inputSchema = definition.parameters as JsonSchema
  const tool: Tool<Record<string, unknown>> = {
    name,
    description: definition.description,
    input: anyArguments,
    where: 'server',
    timeout: foreignSeconds,
    async execute(input, { ctx, lease, call, signal, timeoutMs }) {
      const { toolCallId } = call
      const origin = await sessionOrigin(ctx, lease.sessionKey)
      const outcome = await plugin.callTool(definition.name, input, {
        ...origin,
        callId: toolCallId,
        idempotencyKey: toolCallId,
        signal,
        timeoutMs
      })
      if (outcome.ok) return outcome.result
      throw new ToolError(`${plugin.name}: ${outcome.reason}`)
    }
  }
  return {
    ...foreignTool(tool),
    inputSchema,
    kind: config.approval === 'auto' ? 'server' : 'approval',
    title: () => `${plugin.name}: ${definition.name}`,
    ...(config.timeoutSeconds === undefined ? {} : { timeoutSeconds: config.timeoutSeconds })
  }
}
