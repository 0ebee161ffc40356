import type { Result } from '@waystation/client'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { left } from '#components/browser/format-time.ts'
import { useAction } from '#components/browser/use-action.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Form } from '#components/forms/form.tsx'
import { Button } from '#components/ui/button.tsx'
import { Labeled } from '#components/ui/field.tsx'
import { Select } from '#components/ui/select.tsx'
import { ShownOnce } from '#components/ui/shown-once.tsx'
import { type Role, roles } from '#components/workspace/roles.ts'
import { useChange } from './use-change.ts'

export type ListedInvite = Result<'listInvites'>['invites'][number]

const lengths = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' }
]

type PeopleInviteProps = { invites: readonly ListedInvite[]; revoke: (inviteId: string) => Promise<unknown> }

/** Lists the unused invite links. Creates a link for one person and shows it once. */
export function PeopleInvite({ invites, revoke }: PeopleInviteProps) {
  const [role, setRole] = useState<Role>('operator')
  const [days, setDays] = useState('7')
  const [url, setUrl] = useState<string>()
  const { create, fault } = useChange()
  const [invite, busy] = useAction(async () => {
    const ttlSeconds = Number(days) * 86_400
    const made = await create(client.call('createInvite', { body: { role, ttlSeconds } }))
    if (made !== undefined) setUrl(made.url)
  })
  return (
    <>
      <Form onSubmit={invite} className="flex flex-wrap items-end gap-2">
        <Labeled label="Invite someone as">
          {control => (
            <Select {...control} data-hook="invite-role" value={role} onChange={setRole} options={roles} />
          )}
        </Labeled>
        <Labeled label="Valid for">
          {control => <Select {...control} value={days} onChange={setDays} options={lengths} />}
        </Labeled>
        <Button type="submit" tone="primary" disabled={busy} data-hook="create-invite">
          Create invite link
        </Button>
      </Form>
      <p className="max-w-[68ch] text-muted">
        Each link works once, for the first person who signs in with it. Send it only to the person you
        invite.
      </p>
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
      {url === undefined ? null : <ShownOnce what="link" secret={url} close={() => setUrl(undefined)} />}
      {invites.length === 0 ? null : (
        <ul aria-label="Open invite links" data-hook="invites" className="border-t">
          {invites.map(one => (
            <InviteRow key={one.id} invite={one} revoke={() => revoke(one.id)} />
          ))}
        </ul>
      )}
    </>
  )
}

/** Revoking an unused invite link needs no confirmation, because an owner can easily create another. */
function InviteRow({ invite, revoke }: { invite: ListedInvite; revoke: () => Promise<unknown> }) {
  const now = useNow()
  const { role, createdBy, expiresAt } = invite
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b py-2">
      <div className="min-w-0">
        <p className="font-semibold">Invite link for one {role}</p>
        <p className="text-muted [overflow-wrap:anywhere]">
          by {createdBy}
          {now === undefined ? '' : ` · ${left(expiresAt, now)} left`}
        </p>
      </div>
      <Button onClick={() => void revoke()} data-hook="revoke-invite">
        Revoke
      </Button>
    </li>
  )
}
