import type { Call } from '@waystation/protocol/call/call.ts'
import { waitsForPerson } from '@waystation/protocol/call/pending.ts'
import { useState } from 'react'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { systemOf } from '#components/session/wording/describe-call.ts'
import { Button } from '#components/ui/button.tsx'
import { ConfirmButtons } from '#components/ui/confirm.tsx'
import { Dialog } from '#components/ui/dialog.tsx'

type CancelDialogProps = {
  /** The calls to cancel: one, or all pending ones. */
  calls: readonly Call[]
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Asks for confirmation, then cancels each of these calls. All other calls stay pending. */
export function CancelDialog({ calls, open, onOpenChange }: CancelDialogProps) {
  const { store } = useSessionContext()
  const one = calls.length === 1
  const systems = [...new Set(calls.filter(call => !waitsForPerson(call)).map(systemOf))]
  const late =
    systems.length === 0
      ? ''
      : ` Later answers from ${systems.length === 1 ? systems[0] : 'external systems'} will be ignored.`
  const cancel = () => {
    onOpenChange(false)
    for (const call of calls) void store.cancelCall(call.toolCallId)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={one ? 'Cancel this request?' : `Cancel all ${calls.length} requests?`}
      description={`The agent sees that the ${one ? 'request was' : 'requests were'} canceled.${late}`}
    >
      <ConfirmButtons
        act={one ? 'Cancel request' : 'Cancel requests'}
        keep="Keep waiting"
        onAct={cancel}
        onKeep={() => onOpenChange(false)}
      />
    </Dialog>
  )
}

/** A button that cancels one call, for users who can answer calls. */
export function CancelWait({ call, quiet = false }: { call: Call; quiet?: boolean }) {
  const { may } = useSessionContext()
  const [open, setOpen] = useState(false)
  if (!may.answer) return null
  return (
    <>
      <Button
        data-hook="cancel-wait"
        tone={quiet ? 'quiet' : 'plain'}
        aria-label={`Cancel request: ${call.title ?? call.toolName}`}
        onClick={() => setOpen(true)}
      >
        Cancel request
      </Button>
      <CancelDialog calls={[call]} open={open} onOpenChange={setOpen} />
    </>
  )
}
