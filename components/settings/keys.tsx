'use client'
import type { Result } from '@waystation/client'
import { ClaimedSource, defaultTrust, type OobTrust } from '@waystation/protocol/out-of-band/oob-trust.ts'
import { OobPriority } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { useAction } from '#components/browser/use-action.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Form } from '#components/forms/form.tsx'
import { Button } from '#components/ui/button.tsx'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Field, Labeled } from '#components/ui/field.tsx'
import { Select } from '#components/ui/select.tsx'
import { ShownOnce } from '#components/ui/shown-once.tsx'
import { type Role, roles } from '#components/workspace/roles.ts'
import { ago } from './ago.ts'
import { useChange } from './use-change.ts'
import { WorkspaceSection } from './workspace-section.tsx'

type ListedKey = Result<'listKeys'>['keys'][number]

/**
 * Lists, creates and revokes the API keys of the workspace. `keys` is undefined if the user is not an owner.
 */
export const Keys = ({ keys }: { keys: readonly ListedKey[] | undefined }) => (
  <WorkspaceSection
    title="API keys"
    hook="keys"
    saved={keys}
    ownersOnly="Only workspace owners can view and create API keys."
    intro={
      <>
        An API key gives a program access to this workspace. Send{' '}
        <code className="font-mono text-mono">Authorization: Bearer …</code> with every API request.
      </>
    }
  >
    {saved => <KeyList keys={saved} />}
  </WorkspaceSection>
)

/** A new key is shown once. */
function KeyList({ keys }: { keys: readonly ListedKey[] }) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('operator')
  const [trust, setTrust] = useState(defaultTrust)
  const [secret, setSecret] = useState<string>()
  const [missing, setMissing] = useState<string>()
  const { create, change, fault } = useChange()
  const [submit, busy] = useAction(async () => {
    setMissing(name.trim() === '' ? 'Enter a name.' : undefined)
    if (name.trim() === '') return
    const made = await create(client.call('createKey', { body: { name, role, outOfBand: trust } }))
    if (made === undefined) return
    setName('')
    setSecret(made.secret)
  })
  return (
    <>
      <Form onSubmit={submit} className="flex flex-col items-start gap-3">
        <div className="flex w-full flex-wrap items-end gap-2">
          <div className="flex-1 basis-48">
            <Field
              data-hook="key-name"
              name="name"
              label="Key name"
              value={name}
              onChange={setName}
              fault={missing}
              required
              maxLength={80}
              placeholder="For example: deploy script"
            />
          </div>
          <Labeled label="Role">
            {control => <Select {...control} value={role} onChange={setRole} options={roles} />}
          </Labeled>
        </div>
        {role === 'viewer' ? null : <TrustFields trust={trust} onChange={setTrust} />}
        <Button type="submit" tone="primary" disabled={busy} data-hook="create-key">
          Create key
        </Button>
      </Form>
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
      {secret === undefined ? null : <ShownOnce secret={secret} close={() => setSecret(undefined)} />}
      {keys.length === 0 ? (
        <p className="text-muted">No API keys yet.</p>
      ) : (
        <ul aria-label="API keys" className="border-t">
          {keys.map(key => (
            <KeyRow
              key={key.id}
              listed={key}
              revoke={() => change(client.call('revokeKey', { path: { keyId: key.id } }))}
            />
          ))}
        </ul>
      )}
    </>
  )
}

type TrustFieldsProps = { trust: OobTrust; onChange: (trust: OobTrust) => void }

/** The out-of-band messages that a new key can send (004-14). */
const TrustFields = ({ trust: { sources, maxPriority }, onChange }: TrustFieldsProps) => (
  <fieldset data-hook="key-trust" className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
    <legend className="font-semibold">Out-of-band messages: sources and maximum priority</legend>
    {ClaimedSource.options.toReversed().map(source => (
      <Checkbox
        key={source}
        name={source}
        checked={sources.includes(source)}
        onChange={on =>
          onChange({
            maxPriority,
            sources: ClaimedSource.options.filter(one => (one === source ? on : sources.includes(one)))
          })
        }
      >
        {source}
      </Checkbox>
    ))}
    <Select
      aria-label="Maximum priority"
      data-hook="key-max-priority"
      value={maxPriority}
      disabled={sources.length === 0}
      onChange={next => onChange({ sources, maxPriority: next })}
      options={OobPriority.options.map(value => ({ value, label: `up to ${value}` }))}
    />
  </fieldset>
)

const trustWords = ({ sources, maxPriority }: OobTrust): string =>
  sources.length === 0
    ? 'no out-of-band messages'
    : `out-of-band: ${sources.join(', ')}, up to ${maxPriority}`

/**
 * An API key in the list. Revoking it needs confirmation: programs lose access immediately, and it cannot be
 * restored.
 */
function KeyRow({ listed, revoke }: { listed: ListedKey; revoke: () => Promise<unknown> }) {
  const { name, prefix, role, outOfBand, lastUsedAt } = listed
  const now = useNow()
  const [asked, setAsked] = useState(false)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b py-2">
      <div className="min-w-0">
        <p className="font-semibold [overflow-wrap:anywhere]">{name}</p>
        <p className="text-muted">
          <span className="font-mono text-mono">{prefix}…</span> · {role} ·{' '}
          {role === 'viewer' ? null : `${trustWords(outOfBand)} · `}
          {lastUsedAt === undefined ? 'never used' : `used ${ago(lastUsedAt, now)}`}
        </p>
      </div>
      <Button onClick={() => setAsked(true)} data-hook="revoke-key">
        Revoke…
      </Button>
      <Dialog
        open={asked}
        onOpenChange={setAsked}
        title={`Revoke “${name}”?`}
        description="Programs that use this key lose access immediately. You can't restore a revoked key, but you can create a new one."
      >
        <div className="flex gap-2 pt-2">
          <Button tone="danger" onClick={() => revoke().then(() => setAsked(false))} data-hook="confirm">
            Revoke key
          </Button>
          <Button onClick={() => setAsked(false)}>Cancel</Button>
        </div>
      </Dialog>
    </li>
  )
}
