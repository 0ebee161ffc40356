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
  /** True if the user just selected "Decline…". The text field then gets the focus. */
  wanted: boolean
}

/** Asks for an optional reason, which the agent receives, and declines the call. */
export function Decline({ reason, onReason, onDecline, onBack, place, wanted }: DeclineProps) {
  return (
    <>
      <TextArea
        label="Reason (optional, shared with the agent)"
        value={reason}
        onChange={onReason}
        rows={2}
        wanted={wanted}
        onEscape={onBack}
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

/** Returns the `reason` field of an answer, or no field if the reason is empty. */
export const withReason = (reason: string) => (reason.trim() === '' ? {} : { reason: reason.trim() })
