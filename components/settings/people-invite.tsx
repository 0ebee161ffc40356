'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Labeled } from '#components/ui/field.tsx'
import { Select } from '#components/ui/select.tsx'
import { ShownOnce } from '#components/ui/shown-once.tsx'
import { type Role, roles } from '#components/workspace/roles.ts'

const lengths = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' }
]

/** Creates an invite link for one person and shows it once. */
export function PeopleInvite() {
  const router = useRouter()
  const [role, setRole] = useState<Role>('operator')
  const [days, setDays] = useState('7')
  const [url, setUrl] = useState<string>()
  const [fault, setFault] = useState('')

  const [invite, busy] = useAction(async () => {
    const ttlSeconds = Number(days) * 86_400
    const reply = await replyTo(client.call('createInvite', { body: { role, ttlSeconds } }))
    if (!reply.ok) return setFault(changeError(reply))
    setFault('')
    setUrl(reply.body.url)
    router.refresh()
  })

  return (
    <>
      <form
        onSubmit={event => {
          event.preventDefault()
          void invite()
        }}
        className="flex flex-wrap items-end gap-2"
      >
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
      </form>
      <p className="max-w-[68ch] text-muted">
        Each link works once, for the first person who signs in with it. Send it only to the person you
        invite.
      </p>
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
      {url === undefined ? null : <ShownOnce what="link" secret={url} close={() => setUrl(undefined)} />}
    </>
  )
}
