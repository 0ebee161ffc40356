'use client'
import { type Secret, SecretName } from '@waystation/protocol/workspace/secret.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Form } from '#components/forms/form.tsx'
import { AddButtons } from '#components/ui/add-dialog.tsx'
import { Button } from '#components/ui/button.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { Field } from '#components/ui/field.tsx'
import { savedWords } from './ago.ts'
import { ListSection } from './list-section.tsx'
import { useChange } from './use-change.ts'

/** Lists, saves and removes the secrets of the workspace. `secrets` is undefined if the user is not an owner. */
export const Secrets = ({ secrets }: { secrets: readonly Secret[] | undefined }) => (
  <ListSection
    title="Secrets"
    hook="secrets"
    saved={secrets}
    intro="Keys and passwords for plugins. They are encrypted, and their values are never shown again."
    add={{ act: 'Add secret', hook: 'new-secret' }}
    form={close => <SecretForm secrets={secrets ?? []} close={close} />}
    empty={
      <Empty title="No secrets yet" data-hook="no-secrets">
        Plugins of a workspace file read one with <code className="font-mono text-mono">vault("name")</code>.
      </Empty>
    }
    row={({ name, savedBy, savedAt }, now) => ({
      key: name,
      name: <span className="font-mono text-mono">{name}</span>,
      about: savedWords(savedAt, savedBy, now),
      remove: {
        'data-hook': 'remove-secret',
        'aria-label': `Remove the secret ${name}…`,
        title: `Remove the secret “${name}”?`,
        description: "Plugins that use it stop within seconds. You can't restore its value.",
        act: 'Remove secret',
        children: 'Remove…',
        request: () => client.call('removeWorkspaceSecret', { path: { name } })
      }
    })}
  />
)

function SecretForm({ secrets, close }: { secrets: readonly Secret[]; close: () => void }) {
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const [isShown, setShown] = useState(false)
  const [tried, setTried] = useState(false)
  const { create, fault } = useChange()
  const nameFault = SecretName.safeParse(name.trim()).error?.issues[0]?.message
  const valueFault = value === '' ? 'Enter the value.' : undefined
  const [submit, busy] = useAction(async () => {
    setTried(true)
    if (nameFault !== undefined || valueFault !== undefined) return
    const path = { name: name.trim() }
    if ((await create(client.call('saveWorkspaceSecret', { path, body: { value } }))) !== undefined) close()
  })
  const replaces = secrets.some(secret => secret.name === name.trim())
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        name="secretName"
        label="Secret name"
        value={name}
        onChange={setName}
        fault={tried ? nameFault : undefined}
        hint={replaces ? 'Saving replaces the value of this secret.' : undefined}
        required
        maxLength={64}
        mono
        placeholder="For example: weather-api-key"
      />
      <Field
        name="secretValue"
        label="Value"
        value={value}
        onChange={setValue}
        fault={tried ? valueFault : undefined}
        required
        maxLength={16_384}
        type={isShown ? undefined : 'password'}
        after={
          <Button tone="quiet" data-hook="show-secret" onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide' : 'Show'}
            <span className="sr-only"> value</span>
          </Button>
        }
      />
      <Fault>{fault}</Fault>
      <AddButtons
        act={replaces ? 'Replace secret' : 'Add secret'}
        hook="save-secret"
        disabled={busy}
        onCancel={close}
      />
    </Form>
  )
}
