'use client'
import type { PluginTools } from '@waystation/protocol/agent/agent.ts'
import { AddToAgent } from './add-to-agent.tsx'
import { grantedTools, grantWords, withPluginTools } from './plugin-grants.ts'

type GivePluginProps = {
  plugin: string
  /** The names of the plugin's tools. */
  tools: readonly string[]
  /** The chat agents, with the entries of their published configurations that grant tools of plugins. */
  agents: readonly { agentId: string; displayName: string; entries: readonly PluginTools[] }[]
}

/** Gives the tools of a gRPC plugin to an agent, and says which agents already have some. */
export function GivePlugin({ plugin, tools, agents }: GivePluginProps) {
  const holders = agents.flatMap(({ agentId, displayName, entries }) => {
    const has = grantWords(grantedTools(entries, plugin, tools), tools)
    return has === undefined ? [] : [{ agentId, displayName, has }]
  })
  return (
    <AddToAgent
      name={`the tools of ${plugin}`}
      act="Give tools…"
      description="The tools are added to the agent's draft. Sessions use them after you publish the draft."
      addTo={config => withPluginTools(config, plugin, tools)}
      nothingToAdd={owner => `${owner} already has all tools of ${plugin}.`}
    >
      {holders.length === 0 ? null : (
        <div className="flex flex-col gap-1">
          <p>These published agents already have tools of {plugin}. Select one to add the missing tools.</p>
          <ul data-hook="plugin-holders" className="max-h-40 list-disc overflow-y-auto pl-5">
            {holders.map(({ agentId, displayName, has }) => (
              <li key={agentId} data-agent={agentId} className="[overflow-wrap:anywhere]">
                {displayName}: {has}
              </li>
            ))}
          </ul>
        </div>
      )}
    </AddToAgent>
  )
}
