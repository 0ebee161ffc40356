'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Field, Labeled } from '#components/ui/field.tsx'
import { Section } from '#components/ui/section.tsx'
import { Select } from '#components/ui/select.tsx'
import { ShownOnce } from '#components/ui/shown-once.tsx'
import { type Role, roles } from '#components/workspace/roles.ts'
import { KeyRow, type ListedKey } from './key-row.tsx'

/**
 * Lists, creates and revokes the API keys of the workspace. A new key is shown once. `keys` is undefined if
 * the user is not an owner.
 */
export function Keys({ keys }: { keys: readonly ListedKey[] | undefined }) {
  const router = useRouter()
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('operator')
  const [secret, setSecret] = useState<string>()
  const [fault, setFault] = useState('')
  const [missing, setMissing] = useState<string>()

  const [create, busy] = useAction(async () => {
    setMissing(name.trim() === '' ? 'Enter a name.' : undefined)
    if (name.trim() === '') return
    const reply = await replyTo(client.call('createKey', { body: { name, role } }))
    if (!reply.ok) return setFault(changeError(reply))
    setFault('')
    setName('')
    setSecret(reply.body.secret)
    router.refresh()
  })
  const revoke = async (keyId: string) => {
    const reply = await replyTo(client.call('revokeKey', { path: { keyId } }))
    setFault(reply.ok ? '' : changeError(reply))
    router.refresh()
  }

  return (
    <Section title="API keys" hook="keys">
      {keys === undefined ? (
        <p className="text-muted">Only workspace owners can view and create API keys.</p>
      ) : (
        <>
          <p className="max-w-[68ch]">
            An API key gives a program access to this workspace. Send{' '}
            <code className="font-mono text-mono">Authorization: Bearer …</code> with every API request.
          </p>
          <form
            onSubmit={event => {
              event.preventDefault()
              void create()
            }}
            noValidate
            className="flex flex-wrap items-end gap-2"
          >
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
            <Button type="submit" tone="primary" disabled={busy} data-hook="create-key">
              Create key
            </Button>
          </form>
          <p role="alert" className="text-fail empty:hidden">
            {fault}
          </p>
          {secret === undefined ? null : <ShownOnce secret={secret} close={() => setSecret(undefined)} />}
          {keys.length === 0 ? (
            <p className="text-muted">No API keys yet.</p>
          ) : (
            <ul aria-label="API keys" className="border-t">
              {keys.map(key => (
                <KeyRow key={key.id} listed={key} revoke={() => revoke(key.id)} />
              ))}
            </ul>
          )}
        </>
      )}
    </Section>
  )
}
