import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { TextArea } from '#components/ui/text-area.tsx'
import { Buttons, Primary } from './buttons.tsx'
import { Leavable, leaveForm } from './leave.tsx'

type DeclineProps = {
  draft: { reason: string }
  write: (change: { reason: string }) => void
  /** Receives the `reason` field of the answer, or no field if the reason is empty. */
  onDecline: (given: { reason?: string }) => void
}

const opener = 'decline-call'

/**
 * Returns the form that declines a call, while it is open, and the button that opens it. The form takes the place of the
 * buttons, and asks for an optional reason, which the agent receives. After a reload it is closed and has the same reason.
 */
export function useDecline({ draft, write, onDecline }: DeclineProps) {
  const [open, setOpen] = useState(false)
  const button = (
    <Button data-hook={opener} onClick={() => setOpen(true)}>
      Decline
    </Button>
  )
  if (!open) return { button }
  const reason = draft.reason.trim()
  const back = () => setOpen(false)
  const form = (
    <Leavable opener={opener} onLeave={back}>
      <TextArea
        label="Reason (optional, shared with the agent)"
        value={draft.reason}
        onChange={reason => write({ reason })}
        rows={1}
        wanted
        maxLength={4000}
      />
      <Buttons>
        <Primary data-hook="confirm-decline" onClick={() => onDecline(reason === '' ? {} : { reason })}>
          Decline
        </Primary>
        <Button onClick={({ currentTarget }) => leaveForm(currentTarget, opener, back)}>Back</Button>
      </Buttons>
    </Leavable>
  )
  return { button, form }
}
