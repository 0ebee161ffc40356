import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogButtons } from './dialog.tsx'

type AddDialogProps = {
  /** The label of the button, and the title of the dialog. */
  act: string
  hook: string
  description?: ReactNode
  /** The form. It calls `close` when it is done. */
  children: (close: () => void) => ReactNode
}

/** The primary button of a list, which opens a dialog with the form of a new entry. */
export function AddDialog({ act, hook, description, children }: AddDialogProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button tone="primary" data-hook={hook} onClick={() => setOpen(true)}>
        {act}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={act} description={description}>
        {children(() => setOpen(false))}
      </Dialog>
    </>
  )
}

type AddButtonsProps = { act: string; hook: string; disabled: boolean; onCancel: () => void }

/** The end of a form in a dialog. */
export const AddButtons = ({ act, hook, disabled, onCancel }: AddButtonsProps) => (
  <DialogButtons>
    <Button type="submit" tone="primary" disabled={disabled} data-hook={hook}>
      {act}
    </Button>
    <Button onClick={onCancel}>Cancel</Button>
  </DialogButtons>
)
