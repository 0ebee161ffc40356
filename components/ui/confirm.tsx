import { Button } from './button.tsx'

type ConfirmButtonsProps = {
  act: string
  /** The button that changes nothing. Set it where "Cancel" could be taken for the act. */
  keep?: string
  onAct: () => void
  onKeep: () => void
}

/** The two ways out of a question about something that cannot be undone. */
export function ConfirmButtons({ act, keep = 'Cancel', onAct, onKeep }: ConfirmButtonsProps) {
  return (
    <div className="flex gap-2 pt-4">
      <Button data-hook="confirm" tone="danger" onClick={onAct}>
        {act}
      </Button>
      <Button data-hook="dismiss" onClick={onKeep}>
        {keep}
      </Button>
    </div>
  )
}
