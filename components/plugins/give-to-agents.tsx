import type { PluginStatus } from '@waystation/protocol/plugin/plugin.ts'
import type { ReactNode } from 'react'
import { Section } from '#components/ui/section.tsx'

/** Says how agents get what a plugin provides. `give` gives its tools to an agent. */
export function GiveToAgents({ plugin, give }: { plugin: PluginStatus; give: ReactNode }) {
  const { name, capabilities } = plugin
  if (!capabilities.some(one => one !== 'views')) return null
  return (
    <Section title="Give it to agents">
      <ul data-hook="give-to-agents" className="flex max-w-[68ch] list-disc flex-col gap-1 pl-5">
        {capabilities.includes('tools') ? (
          <li>Tools: add them to an agent, and publish its draft. Each call waits for approval.</li>
        ) : null}
        {capabilities.includes('model') ? (
          <li>
            Models: set an agent's model to <code className="font-mono text-mono">plugin:{name}/</code> and
            the model's name.
          </li>
        ) : null}
        {capabilities.includes('hooks') ? (
          <li>Hooks: every agent uses them. You need to set nothing.</li>
        ) : null}
      </ul>
      {capabilities.includes('tools') ? <div>{give}</div> : null}
    </Section>
  )
}
