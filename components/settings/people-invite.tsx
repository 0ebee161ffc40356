import type { Result } from '@waystation/client'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { left } from '#components/browser/format-time.ts'
import { useAction } from '#components/browser/use-action.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Form } from '#components/forms/form.tsx'
import { AddButtons, AddDialog } from '#components/ui/add-dialog.tsx'
import { Button } from '#components/ui/button.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { Labeled } from '#components/ui/field.tsx'
import { RadioList } from '#components/ui/radio-list.tsx'
import { Select } from '#components/ui/select.tsx'
import { type Role, roles } from '#components/workspace/roles.ts'
import { Row, Rows } from '#components/workspace/rows.tsx'
import { useChange } from './use-change.ts'

export type ListedInvite = Result<'listInvites'>['invites'][number]

const lengths = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' }
]

/** Creates an invite link for one person. */
export const InviteDialog = ({ onCreated }: { onCreated: (url: string) => void }) => (
  <AddDialog
    act="Invite person"
    hook="invite-person"
    description="The link works once, for the first person who signs in with it."
  >
    {close => (
      <InviteForm
        onCancel={close}
        onCreated={url => {
          onCreated(url)
          close()
        }}
      />
    )}
  </AddDialog>
)

function InviteForm({ onCancel, onCreated }: { onCancel: () => void; onCreated: (url: string) => void }) {
  const [role, setRole] = useState<Role>('operator')
  const [days, setDays] = useState('7')
  const { create, fault } = useChange()
  const [invite, busy] = useAction(async () => {
    const ttlSeconds = Number(days) * 86_400
    const made = await create(client.call('createInvite', { body: { role, ttlSeconds } }))
    if (made !== undefined) onCreated(made.url)
  })
  return (
    <Form onSubmit={invite} className="flex flex-col gap-4">
      <RadioList legend="Role" name="role" value={role} onChange={setRole} options={roles} />
      <Labeled label="Valid for">
        {control => (
          <Select {...control} value={days} onChange={setDays} options={lengths} className="w-full" />
        )}
      </Labeled>
      <Fault>{fault}</Fault>
      <AddButtons act="Create invite link" hook="create-invite" disabled={busy} onCancel={onCancel} />
    </Form>
  )
}

type OpenInvitesProps = { invites: readonly ListedInvite[]; revoke: (inviteId: string) => Promise<unknown> }

/** The unused invite links. Revoking one needs no confirmation, because an owner can easily create another. */
export function OpenInvites({ invites, revoke }: OpenInvitesProps) {
  const now = useNow()
  return (
    <Rows aria-label="Open invite links" data-hook="invites">
      {invites.map(({ id, role, createdBy, expiresAt }) => (
        <Row
          key={id}
          name={`Invite link for one ${role}`}
          about={`by ${createdBy}${now === undefined ? '' : ` · ${left(expiresAt, now)} left`}`}
          actions={
            <Button onClick={() => void revoke(id)} data-hook="revoke-invite">
              Revoke
            </Button>
          }
        />
      ))}
    </Rows>
  )
}
