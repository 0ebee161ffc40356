import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { IconButton } from '#components/ui/button.tsx'
import { MoreIcon } from '#components/ui/icons.tsx'
import { Menu, MenuItem } from '#components/ui/menu.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import type { ListedAgent } from './listed-agent.ts'

/** The less frequent actions of an agent in the list. */
export function AgentMenu({ agent }: { agent: ListedAgent }) {
  const { me } = useWorkspace()
  const router = useRouter()
  const [fault, setFault] = useState('')
  const duplicate = async () => {
    const reply = await createCopy(agent)
    if (reply.ok) router.push(`/agents/${encodeURIComponent(reply.body.agentId)}`)
    else setFault(changeError(reply))
  }
  return (
    <>
      <Menu
        trigger={
          <IconButton data-hook="agent-menu" label={`More actions for ${agent.displayName}`}>
            <MoreIcon />
          </IconButton>
        }
      >
        {me.mayEdit ? (
          <MenuItem data-hook="duplicate-agent" onSelect={() => void duplicate()}>
            Duplicate agent
          </MenuItem>
        ) : null}
        <MenuItem onSelect={() => void navigator.clipboard.writeText(agent.agentId)} hint={agent.agentId}>
          Copy agent ID
        </MenuItem>
      </Menu>
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
    </>
  )
}

/** Creates an agent with the same published configuration, and the next free ID. It has no sessions and secrets. */
async function createCopy(agent: ListedAgent) {
  const { revision: _, updatedAt, hasDraft, sessions, waiting, failed, usedAt, ...config } = agent
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? '-copy' : `-copy-${n}`
    const copy = {
      ...config,
      agentId: `${agent.agentId.slice(0, 60 - suffix.length)}${suffix}`,
      displayName: `${agent.displayName.slice(0, 70)} (copy)`
    } as AgentConfig
    const reply = await replyTo(client.agents.create(copy))
    if (reply.ok || reply.error.status !== 409 || n === 20) return reply
  }
}
