import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Form } from '#components/forms/form.tsx'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Field } from '#components/ui/field.tsx'
import { enterWorkspace } from '#components/workspace/enter-workspace.ts'

/** The dialog that creates a workspace and enters it. */
export function NewWorkspace({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [missing, setMissing] = useState<string>()
  const [fault, setFault] = useState('')
  const [create, busy] = useAction(async () => {
    setMissing(name.trim() === '' ? 'Enter a name.' : undefined)
    if (name.trim() === '') return
    const reply = await replyTo(client.call('createWorkspace', { body: { name } }))
    if (!reply.ok) return setFault(changeError(reply))
    enterWorkspace(reply.body.id)
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="New workspace"
      description="A workspace has its own agents, sessions, connections and members. You become its owner."
    >
      <Form onSubmit={create} className="flex flex-col gap-3">
        <Field
          data-hook="workspace-name"
          name="name"
          label="Name"
          value={name}
          onChange={setName}
          fault={missing}
          required
          maxLength={80}
        />
        <p role="alert" className="text-fail empty:hidden">
          {fault}
        </p>
        <div className="flex gap-2">
          <Button type="submit" tone="primary" disabled={busy} data-hook="create-workspace">
            Create workspace
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  )
}
