import { useAction } from '#components/browser/use-action.ts'
import { useNow } from '#components/browser/use-now.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { messageWords } from '#components/session/wording/delivery-words.ts'
import { Button } from '#components/ui/button.tsx'
import type { RowProps } from './row-props.ts'

/** How it stands with a message to another system; what was not accepted can be sent again (000-19). */
export function SentRow({ row: { delivery, messageId, replied } }: RowProps<'sent'>) {
  const { agent, store, may } = useSessionContext()
  const now = useNow()
  const [resend, busy] = useAction(() => store.resend(messageId))
  const said = messageWords(agent.displayName, delivery, { now, replied })
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
