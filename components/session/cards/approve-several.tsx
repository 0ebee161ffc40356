import type { Call } from '@waystation/protocol/call/call.ts'
import { describeCall } from '#components/session/wording/describe-call.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog, DialogButtons } from '#components/ui/dialog.tsx'
import { VisibleText } from '#components/ui/visible-text.tsx'
import { CallInput } from './call-input.tsx'
import { Arguments } from './widgets/arguments.tsx'

type ApproveSeveralProps = {
  /** Calls of one tool. `from` names the session of a call. */
  calls: readonly { call: Call; from?: string }[]
  onApprove: () => void
  onClose: () => void
  problem?: string | undefined
  busy?: boolean
}

/** Shows the arguments of several calls of one tool, so that none is approved unseen, and approves all of them. */
export function ApproveSeveral({ calls, onApprove, onClose, problem, busy = false }: ApproveSeveralProps) {
  return (
    <Dialog open onOpenChange={onClose} title={`Approve ${calls.length} calls?`}>
      <ol data-hook="several-calls" className="flex flex-col border-t">
        {calls.map(({ call, from }) => {
          const { title, says } = describeCall(call)
          const isScript = call.toolName === 'zx-script'
          return (
            <li
              key={`${from} ${call.toolCallId}`}
              className="flex flex-col gap-1 border-b py-2 last:border-b-0"
            >
              <p className="font-semibold [overflow-wrap:anywhere]">
                <VisibleText text={title} />
              </p>
              {from === undefined ? null : <p className="truncate text-muted">{from}</p>}
              {isScript ? (
                <CallInput call={call} input={call.input} />
              ) : (
                <Arguments input={call.input} said={says} />
              )}
            </li>
          )
        })}
      </ol>
      <p role="alert" data-hook="several-problem" className="text-fail empty:hidden">
        {problem}
      </p>
      <DialogButtons>
        <Button tone="primary" data-hook="confirm-several" disabled={busy} onClick={onApprove}>
          Approve {calls.length} calls
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </DialogButtons>
    </Dialog>
  )
}
