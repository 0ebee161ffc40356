import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { useAgentName } from '#components/session/store/use-agent-name.ts'
import { useSpeaker } from '#components/session/store/use-speaker.ts'
import { Link } from '#components/ui/link.tsx'

const look = 'min-w-0 truncate font-mono text-mono text-muted'

/** The agent that answers, as a link, and its model. A session has the model of its agent. */
export function AgentChip() {
  const { agent, agentHref } = useSessionContext()
  const speaker = useSpeaker()
  const name = useAgentName()
  const model = !speaker.isOther && isJsonObject(agent.config) ? agent.config.model : undefined
  return (
    <>
      {agentHref === undefined ? (
        <span className={look}>{name}</span>
      ) : (
        <Link
          href={agentHref}
          data-hook="composer-agent"
          title="Open agent"
          className={`${look} tap h-[30px] leading-[30px] no-underline hover:text-ink`}
        >
          {name}
        </Link>
      )}
      {typeof model === 'string' ? (
        <span data-hook="composer-model" title="Model" className={`${look} border-l pl-2`}>
          {model === 'default' ? 'default model' : model}
        </span>
      ) : null}
    </>
  )
}
