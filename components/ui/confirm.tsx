import { Button } from './button.tsx'
import { DialogButtons } from './dialog.tsx'

type ConfirmButtonsProps = {
  act: string
  /** The label of the button that changes nothing. Set it if "Cancel" could be mistaken for the action. */
  keep?: string
  onAct: () => void
  onKeep: () => void
}

/** The two buttons of a dialog that confirms an irreversible action. */
export function ConfirmButtons({ act, keep = 'Cancel', onAct, onKeep }: ConfirmButtonsProps) {
  return (
    <DialogButtons>
      <Button data-hook="confirm" tone="danger" onClick={onAct}>
        {act}
      </Button>
      <Button data-hook="dismiss" onClick={onKeep}>
        {keep}
      </Button>
    </DialogButtons>
  )
}
