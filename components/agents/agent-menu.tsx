import { useRouter } from 'next/navigation'
import { IconButton } from '#components/ui/button.tsx'
import { MoreIcon } from '#components/ui/icons.tsx'
import { Menu, MenuItem } from '#components/ui/menu.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import type { ListedAgent } from './listed-agent.ts'

/** The less frequent actions of an agent in the list. */
export function AgentMenu({ agent: { agentId, displayName } }: { agent: ListedAgent }) {
  const { me, newSession } = useWorkspace()
  const router = useRouter()
  return (
    <Menu
      trigger={
        <IconButton data-hook="agent-menu" label={`More actions for ${displayName}`}>
          <MoreIcon />
        </IconButton>
      }
    >
      <MenuItem onSelect={() => router.push(`/agents/${encodeURIComponent(agentId)}`)}>Open agent</MenuItem>
      {me.maySend ? <MenuItem onSelect={() => newSession(agentId)}>New session</MenuItem> : null}
      {me.mayEdit ? (
        <MenuItem
          data-hook="duplicate-agent"
          onSelect={() => router.push(`/agents/new?from=${encodeURIComponent(agentId)}`)}
        >
          Duplicate agent
        </MenuItem>
      ) : null}
      <MenuItem onSelect={() => void navigator.clipboard.writeText(agentId)} hint={agentId}>
        Copy agent ID
      </MenuItem>
    </Menu>
  )
}
