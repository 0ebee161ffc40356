import type { AgentConfig, PluginTools } from '@waystation/protocol/agent/agent.ts'

/** The entries of a configuration that grant tools of plugins. An external agent has none. */
export const pluginEntries = (config: AgentConfig): PluginTools[] =>
  config.type === 'chat' ? config.chat.tools.filter(tool => 'plugin' in tool) : []

/** Returns the tools of a plugin that entries grant. `*` is every plugin, and an entry without `tools` grants all. */
export function grantedTools(
  entries: readonly PluginTools[],
  plugin: string,
  tools: readonly string[]
): string[] {
  const granting = entries.filter(entry => isFor(entry, plugin))
  return tools.filter(tool => granting.some(entry => entry.tools?.includes(tool) ?? true))
}

const isFor = (entry: PluginTools, plugin: string) => entry.plugin === plugin || entry.plugin === '*'

/**
 * Returns a configuration with all tools of a plugin. Each call of an added tool waits for approval. Undefined if the
 * agent has all of them, or cannot have tools.
 */
export function withPluginTools(
  config: AgentConfig,
  plugin: string,
  tools: readonly string[]
): AgentConfig | undefined {
  if (config.type === 'external') return undefined
  const entries = pluginEntries(config)
  const granted = new Set(grantedTools(entries, plugin, tools))
  const missing = tools.filter(tool => !granted.has(tool))
  // The tools of a plugin that has not started are unknown.
  const hasAll = tools.length === 0 ? entries.some(entry => isFor(entry, plugin)) : missing.length === 0
  if (hasAll) return undefined
  const entry: PluginTools = { plugin, ...(granted.size === 0 ? {} : { tools: missing }), approval: 'ask' }
  return { ...config, chat: { ...config.chat, tools: [...config.chat.tools, entry] } }
}

/** Describes the tools of a plugin that an agent has: "all tools", "sum and ask". Undefined if it has none. */
export function grantWords(granted: readonly string[], tools: readonly string[]): string | undefined {
  if (granted.length === 0) return undefined
  if (granted.length === tools.length) return tools.length === 1 ? granted[0] : 'all tools'
  return new Intl.ListFormat('en-US', { type: 'conjunction' }).format(granted)
}
