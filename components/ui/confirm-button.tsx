import { type ComponentPropsWithoutRef, useState } from 'react'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from './button.tsx'
import { ConfirmButtons } from './confirm.tsx'
import { Dialog } from './dialog.tsx'
import { Fault } from './fault.tsx'

type ConfirmButtonProps = Omit<ComponentPropsWithoutRef<typeof Button>, 'title' | 'onClick'> & {
  /** The title, the description and the action of the dialog. */
  title: string
  description: string
  act: string
  /** The dialog closes when it is done. If the result is a text, the dialog stays open and shows it as an error. */
  onAct: () => Promise<unknown>
}

/** A button for an irreversible action, which a dialog asks the user to confirm. */
export function ConfirmButton({ title, description, act, onAct, ...props }: ConfirmButtonProps) {
  const [asked, setAsked] = useState(false)
  const [fault, setFault] = useState('')
  const [run] = useAction(async () => {
    const result = await onAct()
    const error = typeof result === 'string' ? result : ''
    setFault(error)
    if (error === '') setAsked(false)
  })
  return (
    <>
      <Button {...props} onClick={() => setAsked(true)} />
      <Dialog open={asked} onOpenChange={setAsked} title={title} description={description}>
        <Fault>{fault}</Fault>
        <ConfirmButtons act={act} onAct={() => void run()} onKeep={() => setAsked(false)} />
      </Dialog>
    </>
  )
}
