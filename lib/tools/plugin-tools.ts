import { ToolError } from '#lib/kernel/known-error.ts'
import type { HostedPlugin, PluginTool } from '#lib/kernel/ports/plugin-host.ts'
import type { JsonSchema, PluginTools } from '#lib/protocol/agent/agent.ts'
import { anyArguments, foreignSeconds, foreignTool, toolNameOf } from './foreign-tool.ts'
import { hostedPlugins } from './hosted-plugins.ts'
import type { ToolSource } from './registry.ts'
import type { ResolvedTool } from './resolve.ts'
import type { Tool } from './tool.ts'

/** The tools of the workspace's plugins, for an agent that names any. One that is not there (any more) is known by what it had. */
export const pluginSource: ToolSource = async (ctx, _, chat, { asks }) => {
  if (!chat.tools.some(tool => 'plugin' in tool)) return undefined
  const plugins = asks ? await hostedPlugins(ctx) : (ctx.ports.plugins?.of(ctx.workspaceId) ?? [])
  return { of: (config, taken) => ('plugin' in config ? pluginTools(config, plugins, taken) : undefined) }
}

/**
 * The tools of plugins in other languages as an agent has them (003-9): each under its plain name, the first plugin's where
 * several have it; the others' are `<plugin>__<tool>`, and so is one whose name is `taken`.
 */
function pluginTools(
  config: PluginTools,
  plugins: readonly HostedPlugin[],
  taken: ReadonlySet<string>
): ResolvedTool[] {
  const names = new Set(taken)
  const tools: ResolvedTool[] = []
  for (const plugin of plugins) {
    if (config.plugin !== '*' && config.plugin !== plugin.name) continue
    for (const told of plugin.tools) {
      if (config.tools !== undefined && !config.tools.includes(told.name)) continue
      const plain = toolNameOf(told.name)
      const name = names.has(plain) ? toolNameOf(`${plugin.name}__${told.name}`) : plain
      if (names.has(name)) continue
      names.add(name)
      tools.push(one(config, plugin, told, name))
    }
  }
  return tools
}

/** A call goes to the plugin as it is then: it may have been started anew since the turn began. */
function one(config: PluginTools, plugin: HostedPlugin, told: PluginTool, name: string): ResolvedTool {
  const inputSchema = told.parameters as JsonSchema
  const tool: Tool<Record<string, unknown>> = {
    name,
    description: told.description,
    input: anyArguments,
    where: 'server',
    timeout: foreignSeconds,
    async execute(input, { signal }) {
      const said = await plugin.callTool(told.name, input, signal)
      if (said.ok) return said.result
      throw new ToolError(`${plugin.name}: ${said.reason}`)
    }
  }
  return {
    ...foreignTool(tool),
    inputSchema,
    kind: config.approval === 'auto' ? 'server' : 'approval',
    title: () => `${plugin.name}: ${told.name}`,
    ...(config.timeoutSeconds === undefined ? {} : { timeoutSeconds: config.timeoutSeconds })
  }
}
