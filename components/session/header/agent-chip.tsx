import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { useAgentName } from '#components/session/store/use-agent-name.ts'
import { useSpeaker } from '#components/session/store/use-speaker.ts'
import { Link } from '#components/ui/link.tsx'

const look = 'min-w-0 truncate font-mono text-mono text-muted'

/** The agent that answers and its model, as a link to the agent. A session has the model of its agent. */
export function AgentChip() {
  const { agent, agentHref } = useSessionContext()
  const speaker = useSpeaker()
  const name = useAgentName()
  const model = !speaker.isOther && isJsonObject(agent.config) ? agent.config.model : undefined
  const words =
    typeof model === 'string' ? `${name} · ${model === 'default' ? 'default model' : model}` : name
  return agentHref === undefined ? (
    <span className={look}>{words}</span>
  ) : (
    <Link
      href={agentHref}
      data-hook="composer-agent"
      title="Open agent"
      className={`${look} tap h-[30px] leading-[30px] no-underline hover:text-ink`}
    >
      {words}
    </Link>
  )
}
