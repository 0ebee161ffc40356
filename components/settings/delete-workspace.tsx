import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Form } from '#components/forms/form.tsx'
import { Button } from '#components/ui/button.tsx'
import { Dialog, DialogButtons } from '#components/ui/dialog.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { Field } from '#components/ui/field.tsx'

/** Deletes the workspace after the user has entered its name. */
export function DeleteWorkspace({ name }: { name: string }) {
  const [asked, setAsked] = useState(false)
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [fault, setFault] = useState('')
  const [remove, busy] = useAction(async () => {
    setWrong(typed.trim() === name ? undefined : `Enter “${name}”.`)
    if (typed.trim() !== name) return
    const reply = await replyTo(client.call('deleteWorkspace', { query: { name } }))
    if (!reply.ok) return setFault(changeError(reply))
    window.location.assign('/sessions')
  })
  return (
    <>
      <Button tone="danger" data-hook="delete-workspace" onClick={() => setAsked(true)}>
        Delete workspace…
      </Button>
      <Dialog
        open={asked}
        onOpenChange={setAsked}
        title={`Delete ${name}?`}
        description="All sessions, agents, connections, secrets, keys and members of this workspace are deleted. Running agents stop. You can't undo this."
      >
        <Form onSubmit={remove} className="flex flex-col gap-3">
          <Field
            data-hook="confirm-name"
            name="name"
            label="Name of the workspace"
            hint={`Enter ${name} to confirm.`}
            value={typed}
            onChange={setTyped}
            fault={wrong}
          />
          <Fault>{fault}</Fault>
          <DialogButtons>
            <Button type="submit" tone="danger" disabled={busy} data-hook="confirm-delete">
              Delete workspace
            </Button>
            <Button onClick={() => setAsked(false)}>Cancel</Button>
          </DialogButtons>
        </Form>
      </Dialog>
    </>
  )
}
