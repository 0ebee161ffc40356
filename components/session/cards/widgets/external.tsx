import { CancelWait } from '#components/session/content/cancel-wait.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { Arguments } from './arguments.tsx'
import { Buttons } from './buttons.tsx'
import type { WidgetProps } from './widget.ts'

/** Shows a call to an external service: its arguments, and a command that answers in place of the service. */
export function ExternalWidget({ call }: WidgetProps) {
  const { may, memberParts } = useSessionContext()
  return (
    <>
      <Arguments input={call.input} />
      {memberParts === undefined ? null : <memberParts.AnswerCommand call={call} />}
      {may.answer ? (
        <Buttons>
          <CancelWait call={call} />
        </Buttons>
      ) : null}
    </>
  )
}
