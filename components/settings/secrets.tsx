'use client'
import { type Secret, SecretName } from '@waystation/protocol/workspace/secret.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { useAction } from '#components/browser/use-action.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Form } from '#components/forms/form.tsx'
import { Button } from '#components/ui/button.tsx'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { Field } from '#components/ui/field.tsx'
import { ago } from './ago.ts'
import { useChange } from './use-change.ts'
import { WorkspaceSection } from './workspace-section.tsx'

/** Lists, saves and removes the secrets of the workspace. `secrets` is undefined if the user is not an owner. */
export const Secrets = ({ secrets }: { secrets: readonly Secret[] | undefined }) => (
  <WorkspaceSection
    title="Secrets"
    hook="secrets"
    saved={secrets}
    ownersOnly="Only workspace owners can view and save secrets."
    intro={
      <>
        Plugins of a workspace file read a secret with{' '}
        <code className="font-mono text-mono">vault("name")</code>. Waystation stores its value encrypted and
        never shows it again.
      </>
    }
  >
    {saved => <SecretList secrets={saved} />}
  </WorkspaceSection>
)

function SecretList({ secrets }: { secrets: readonly Secret[] }) {
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const [tried, setTried] = useState(false)
  const { create, change, fault } = useChange()
  const nameFault = SecretName.safeParse(name.trim()).error?.issues[0]?.message
  const valueFault = value === '' ? 'Enter the value.' : undefined
  const [submit, busy] = useAction(async () => {
    setTried(true)
    if (nameFault !== undefined || valueFault !== undefined) return
    const path = { name: name.trim() }
    if ((await create(client.call('saveWorkspaceSecret', { path, body: { value } }))) === undefined) return
    setName('')
    setValue('')
    setTried(false)
  })
  const replaces = secrets.some(secret => secret.name === name.trim())
  return (
    <>
      <Form onSubmit={submit} className="flex flex-col items-start gap-3">
        <div className="grid w-full items-start gap-2 mid:grid-cols-2">
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
            type="password"
          />
        </div>
        <Button type="submit" tone="primary" disabled={busy} data-hook="save-secret">
          {replaces ? 'Replace secret' : 'Save secret'}
        </Button>
      </Form>
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
      {secrets.length === 0 ? (
        <p data-hook="no-secrets" className="text-muted">
          No secrets yet.
        </p>
      ) : (
        <ul aria-label="Secrets" className="border-t">
          {secrets.map(secret => (
            <SecretRow
              key={secret.name}
              secret={secret}
              remove={() => change(client.call('removeWorkspaceSecret', { path: { name: secret.name } }))}
            />
          ))}
        </ul>
      )}
    </>
  )
}

/** A secret in the list. Removing it needs confirmation, because plugins that use it stop. */
function SecretRow({ secret, remove }: { secret: Secret; remove: () => Promise<unknown> }) {
  const { name, savedBy, savedAt } = secret
  const now = useNow()
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b py-2">
      <div className="min-w-0">
        <p className="font-mono text-mono [overflow-wrap:anywhere]">{name}</p>
        <p className="text-muted [overflow-wrap:anywhere]">
          saved {ago(savedAt, now)} by {savedBy}
        </p>
      </div>
      <ConfirmButton
        data-hook="remove-secret"
        aria-label={`Remove the secret ${name}…`}
        title={`Remove the secret “${name}”?`}
        description="Plugins that use it stop within seconds. You can't restore its value."
        act="Remove secret"
        onAct={remove}
      >
        Remove…
      </ConfirmButton>
    </li>
  )
}
