'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { ShownOnce } from '#components/ui/shown-once.tsx'
import { type Role, roles } from '#components/workspace/roles.ts'

const day = 86_400
const lengths = [
  { value: day, label: '1 day' },
  { value: 7 * day, label: '7 days' },
  { value: 30 * day, label: '30 days' }
]

/** Creates an invite link for one person and shows it once. */
export function PeopleInvite() {
  const router = useRouter()
  const [role, setRole] = useState<Role>('operator')
  const [ttlSeconds, setTtlSeconds] = useState(7 * day)
  const [url, setUrl] = useState<string>()
  const [fault, setFault] = useState('')
  const select = 'tap h-[30px] rounded-sm border border-rail bg-panel px-2'

  const [invite, busy] = useAction(async () => {
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
        <label className="flex flex-col gap-1">
          <span className="font-semibold">Invite someone as</span>
          <select
            data-hook="invite-role"
            value={role}
            onChange={event => setRole(event.target.value as Role)}
            className={select}
          >
            {roles.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label className="flex flex-col gap-1">
          <span className="font-semibold">Valid for</span>
          <select
            value={ttlSeconds}
            onChange={event => setTtlSeconds(Number(event.target.value))}
            className={select}
          >
            {lengths.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
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
