'use client'
import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { AddToAgent } from './add-to-agent.tsx'

/** Gives the tools of a gRPC plugin to an agent. */
export const GivePlugin = ({ plugin }: { plugin: string }) => (
  <AddToAgent
    name={`the tools of ${plugin}`}
    act="Give tools…"
    description="The tools are added to the agent's draft. Sessions use them after you publish the draft."
    addTo={config => withTools(config, plugin)}
  />
)

function withTools(config: AgentConfig, plugin: string): AgentConfig | undefined {
  if (config.type === 'external') return undefined
  const { tools } = config.chat
  const has = tools.some(tool => 'plugin' in tool && (tool.plugin === plugin || tool.plugin === '*'))
  if (has) return undefined
  return { ...config, chat: { ...config.chat, tools: [...tools, { plugin, approval: 'ask' }] } }
}
