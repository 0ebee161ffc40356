import { CancelWait } from '#components/session/content/cancel-wait.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { useSubAgents } from '#components/session/store/use-sub-agents.ts'
import { Link } from '#components/ui/link.tsx'
import { Arguments } from './arguments.tsx'
import { Buttons } from './buttons.tsx'
import type { WidgetProps } from './widget.ts'

/** Shows a call to a sub-agent: its task, a link to its session, and a button that cancels the call. */
export function AgentWidget({ call }: WidgetProps) {
  const { may, sessionHref } = useSessionContext()
  const { subAgents } = useSubAgents()
  const sub = subAgents.find(({ toolCallId }) => toolCallId === call.toolCallId)
  return (
    <>
      <Arguments input={call.editedInput ?? call.input} />
      {sub === undefined || sessionHref === undefined ? null : (
        <p>
          <Link data-hook="open-sub-agent" href={sessionHref(sub.sessionId)}>
            Open sub-agent session
          </Link>
        </p>
      )}
      {may.answer ? (
        <Buttons>
          <CancelWait call={call} />
        </Buttons>
      ) : null}
    </>
  )
}
