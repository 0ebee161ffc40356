'use client'
import type { AgentConfig, McpTools } from '@waystation/protocol/agent/agent.ts'
import { useState } from 'react'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { AddToAgent } from './add-to-agent.tsx'

type GiveMcpProps = {
  server: string
  tools: readonly string[]
  /** The tools that are not chosen at first, if the dialog is open at first. */
  without?: readonly string[] | undefined
}

/** Gives chosen tools of an MCP server to an agent. */
export function GiveMcp({ server, tools, without }: GiveMcpProps) {
  const [left, setLeft] = useState(without ?? [])
  const chosen = tools.filter(tool => !left.includes(tool))
  return (
    <AddToAgent
      name={`tools of ${server}`}
      act="Give to agent…"
      begin={without !== undefined}
      description="The tools are added to the agent's draft. Sessions use them after you publish the draft."
      addTo={config => withMcpTools(config, server, chosen.length === tools.length ? undefined : chosen)}
      nothingToAdd={owner => `${owner} already has these tools.`}
    >
      <fieldset data-hook="given-tools" className="max-h-60 min-w-0 overflow-y-auto">
        <legend className="pb-1 font-semibold">Tools</legend>
        {tools.map(tool => (
          <Checkbox
            key={tool}
            name={tool}
            checked={chosen.includes(tool)}
            onChange={on => setLeft(on ? left.filter(one => one !== tool) : [...left, tool])}
          >
            <span className="font-mono text-mono [overflow-wrap:anywhere]">{tool}</span>
          </Checkbox>
        ))}
      </fieldset>
    </AddToAgent>
  )
}

/**
 * Returns a configuration with tools of an MCP server, or without `tools` with all of them. Each call waits for approval.
 * Undefined if the agent has them.
 */
export function withMcpTools(
  config: AgentConfig,
  mcp: string,
  tools: readonly string[] | undefined
): AgentConfig | undefined {
  if (config.type === 'external' || tools?.length === 0) return undefined
  const entries = config.chat.tools.filter((tool): tool is McpTools => 'mcp' in tool && tool.mcp === mcp)
  const has = (name: string) => entries.some(entry => entry.tools?.includes(name) ?? true)
  const missing = tools?.filter(name => !has(name))
  const hasAll =
    missing === undefined ? entries.some(entry => entry.tools === undefined) : missing.length === 0
  if (hasAll) return undefined
  const entry: McpTools = { mcp, ...(missing === undefined ? {} : { tools: missing }), approval: 'ask' }
  // An entry for all tools replaces those for some.
  const others =
    missing === undefined
      ? config.chat.tools.filter(tool => !('mcp' in tool && tool.mcp === mcp))
      : config.chat.tools
  return { ...config, chat: { ...config.chat, tools: [...others, entry] } }
}
