import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { TextArea } from '#components/ui/text-area.tsx'
import { Buttons, Primary } from './buttons.tsx'
import { Leavable, leaveForm } from './leave.tsx'

type DeclineProps = {
  /** The draft of the card. In the mode `decline`, the form replaces the card. */
  draft: { mode: string; reason: string }
  write: (change: { mode?: 'read' | 'decline'; reason?: string }) => void
  /** Receives the `reason` field of the answer, or no field if the reason is empty. */
  onDecline: (given: { reason?: string }) => void
}

const opener = 'decline-call'

/**
 * Returns the form that declines a call, while it is open, and the button that opens it. The form asks for an
 * optional reason, which the agent receives.
 */
export function useDecline({ draft, write, onDecline }: DeclineProps) {
  // True after a click in this card, but not if a stored draft opened the form. The field then gets the focus.
  const [wanted, setWanted] = useState(false)
  const open = () => {
    setWanted(true)
    write({ mode: 'decline' })
  }
  const button = (
    <Button data-hook={opener} onClick={open}>
      Decline
    </Button>
  )
  if (draft.mode !== 'decline') return { button }
  const reason = draft.reason.trim()
  const back = () => write({ mode: 'read' })
  const form = (
    <Leavable opener={opener} onLeave={back}>
      <TextArea
        label="Reason (optional, shared with the agent)"
        value={draft.reason}
        onChange={reason => write({ reason })}
        rows={1}
        wanted={wanted}
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
