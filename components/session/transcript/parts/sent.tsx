import { useAction } from '#components/browser/use-action.ts'
import { useNow } from '#components/browser/use-now.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { useSpeaker } from '#components/session/store/use-speaker.ts'
import { messageWords } from '#components/session/wording/delivery-words.ts'
import { Button } from '#components/ui/button.tsx'
import type { RowProps } from './row-props.ts'

/** The delivery of a message to an external agent. The user can send a failed message again (000-19). */
export function SentRow({ row: { delivery, messageId, replied } }: RowProps<'sent'>) {
  const { store, may, can } = useSessionContext()
  const { external, displayName } = useSpeaker()
  const now = useNow()
  const [resend, busy] = useAction(() => store.resend(messageId))
  // After a handoff to a chat agent, its name is not that of the receiver. An embedded page has one name for all agents.
  const system = external || !can.members ? displayName : undefined
  const said = messageWords(system, delivery, { now, replied })
  if (said === undefined) return null
  return (
    <div
      role="status"
      data-hook="message-delivery"
      data-state={said.failed ? 'failed' : 'sent'}
      className="flex flex-wrap items-center gap-x-3 gap-y-1"
    >
      <p className={said.failed ? 'text-fail' : 'text-muted italic'}>{said.words}</p>
      {delivery.state === 'failed' && may.send ? (
        <Button data-hook="send-again" disabled={busy} onClick={() => void resend()}>
          Send again
        </Button>
      ) : null}
    </div>
  )
}

/** The status of the external agent, as plain text. */
export const WorkingRow = ({ row: { status } }: RowProps<'working'>) => (
  <p role="status" data-hook="agent-status" className="text-muted italic [overflow-wrap:anywhere]">
    {status.text}
  </p>
)
