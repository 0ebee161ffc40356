'use client'
import { Button } from '#components/ui/button.tsx'
import { TextArea } from '#components/ui/text-area.tsx'
import { Buttons, Primary } from './buttons.tsx'
import type { CardPlace } from './widget.ts'

type DeclineProps = {
  reason: string
  onReason: (reason: string) => void
  onDecline: () => void
  onBack: () => void
  place: CardPlace
  /** Somebody just pressed Decline…, and will type. */
  wanted: boolean
}

/** Saying no, with a reason that the agent is told; the reason may stay empty. */
export function Decline({ reason, onReason, onDecline, onBack, place, wanted }: DeclineProps) {
  return (
    <>
      <TextArea
        label="Reason (optional, shared with the agent)"
        value={reason}
        onChange={onReason}
        rows={2}
        wanted={wanted}
        maxLength={4000}
      />
      <Buttons place={place}>
        <Primary data-hook="confirm-decline" onClick={onDecline}>
          Decline
        </Primary>
        <Button tone="quiet" onClick={onBack}>
          Back
        </Button>
      </Buttons>
    </>
  )
}

/** The reason as an answer carries it. */
export const withReason = (reason: string) => (reason.trim() === '' ? {} : { reason: reason.trim() })
