import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { useState } from 'react'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { useAgentName } from '#components/session/store/use-agent-name.ts'
import { useSpeaker } from '#components/session/store/use-speaker.ts'
import { HandoffDialog } from './dialogs.ts'

const look = 'min-w-0 truncate font-mono text-mono text-muted'

/** The agent that answers, and its model. A click hands the session off, if the user can do that. */
export function AgentChip() {
  const { agent, can, may } = useSessionContext()
  const speaker = useSpeaker()
  const name = useAgentName()
  const [open, setOpen] = useState(false)
  const model = !speaker.isOther && isJsonObject(agent.config) ? agent.config.model : undefined
  return (
    <>
      {can.members && !agent.external && may.send ? (
        <button
          type="button"
          data-hook="composer-agent"
          title="Hand off session…"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          className={`${look} tap h-[30px] hover:text-ink`}
        >
          {name}
        </button>
      ) : (
        <span className={look}>{name}</span>
      )}
      {typeof model === 'string' ? (
        <span data-hook="composer-model" title="Model" className={`${look} border-l pl-2`}>
          {model === 'default' ? 'default model' : model}
        </span>
      ) : null}
      {open ? <HandoffDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}
