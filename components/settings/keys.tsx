'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Section } from '#components/ui/section.tsx'
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

  const [create, busy] = useAction(async () => {
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
            className="flex flex-wrap items-end gap-2"
          >
            <label className="flex min-w-0 flex-1 basis-48 flex-col gap-1">
              <span className="font-semibold">Key name</span>
              <input
                data-hook="key-name"
                value={name}
                onChange={event => setName(event.target.value)}
                required
                maxLength={80}
                autoComplete="off"
                placeholder="For example: deploy script"
                className="tap h-[30px] rounded-sm border border-rail bg-panel px-2"
              />
            </label>
            <label className="flex flex-col gap-1">
              <span className="font-semibold">Role</span>
              <select
                value={role}
                onChange={event => setRole(event.target.value as Role)}
                className="tap h-[30px] rounded-sm border border-rail bg-panel px-2"
              >
                {roles.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
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
