'use client'
import type { Result } from '@waystation/client'
import { ClaimedSource, defaultTrust, type OobTrust } from '@waystation/protocol/out-of-band/oob-trust.ts'
import { OobPriority } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Form } from '#components/forms/form.tsx'
import { AddButtons } from '#components/ui/add-dialog.tsx'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { Field } from '#components/ui/field.tsx'
import { RadioList } from '#components/ui/radio-list.tsx'
import { Select } from '#components/ui/select.tsx'
import { type Role, roleName, roles } from '#components/workspace/roles.ts'
import { ago } from './ago.ts'
import { ListSection } from './list-section.tsx'
import { useChange } from './use-change.ts'

type ListedKey = Result<'listKeys'>['keys'][number]

/**
 * Lists, creates and revokes the API keys of the workspace. `keys` is undefined if the user is not an owner.
 */
export const Keys = ({ keys }: { keys: readonly ListedKey[] | undefined }) => (
  <ListSection
    title="API keys"
    hook="keys"
    saved={keys}
    intro={
      <>
        A key gives a program access to this workspace: send it as{' '}
        <code className="font-mono text-mono">Authorization: Bearer …</code>
      </>
    }
    add={{ act: 'Create key', hook: 'new-key' }}
    form={(close, onCreated) => <KeyForm onCancel={close} onCreated={onCreated} />}
    empty={
      <Empty title="No API keys yet">Create one for each program, so that you can revoke it alone.</Empty>
    }
    row={({ id, name, prefix, role, outOfBand, lastUsedAt }, now) => ({
      key: id,
      name,
      about: (
        <>
          <span className="font-mono text-mono">{prefix}…</span> · {roleName(role)}
          {role === 'viewer' ? null : ` · ${trustWords(outOfBand)}`}
        </>
      ),
      figure: lastUsedAt === undefined ? 'never used' : `used ${ago(lastUsedAt, now)}`,
      remove: {
        'data-hook': 'revoke-key',
        'aria-label': `Revoke ${name}…`,
        title: `Revoke “${name}”?`,
        description:
          "Programs that use this key lose access immediately. You can't restore a revoked key, but you can create a new one.",
        act: 'Revoke key',
        children: 'Revoke…',
        request: () => client.call('revokeKey', { path: { keyId: id } })
      }
    })}
  />
)

type KeyFormProps = { onCancel: () => void; onCreated: (secret: string) => void }

function KeyForm({ onCancel, onCreated }: KeyFormProps) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('operator')
  const [trust, setTrust] = useState(defaultTrust)
  const [missing, setMissing] = useState<string>()
  const { create, fault } = useChange()
  const [submit, busy] = useAction(async () => {
    setMissing(name.trim() === '' ? 'Enter a name.' : undefined)
    if (name.trim() === '') return
    const made = await create(client.call('createKey', { body: { name, role, outOfBand: trust } }))
    if (made !== undefined) onCreated(made.secret)
  })
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
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
      <RadioList legend="Role" name="role" value={role} onChange={setRole} options={roles} />
      {role === 'viewer' ? null : <TrustFields trust={trust} onChange={setTrust} />}
      <Fault>{fault}</Fault>
      <AddButtons act="Create key" hook="create-key" disabled={busy} onCancel={onCancel} />
    </Form>
  )
}

type TrustFieldsProps = { trust: OobTrust; onChange: (trust: OobTrust) => void }

/** The out-of-band messages that a new key can send (004-14). */
const TrustFields = ({ trust: { sources, maxPriority }, onChange }: TrustFieldsProps) => (
  <details>
    <summary className="tap w-fit content-center">Signals that it can send</summary>
    <fieldset
      data-hook="key-trust"
      aria-label="Signals: sources and maximum priority"
      className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 pt-2 pl-5"
    >
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
          {sourceNames[source]}
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
  </details>
)

/** The kinds of sender that a program can state. */
const sourceNames: Record<ClaimedSource, string> = {
  agent: 'As an agent',
  system: 'As a system',
  external: 'As an external agent'
}

const trustWords = ({ sources, maxPriority }: OobTrust): string =>
  sources.length === 0 ? 'no signals' : `signals: ${sources.join(', ')}, up to ${maxPriority}`
