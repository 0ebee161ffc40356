'use client'
import { left } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Button } from '#components/ui/button.tsx'
import type { Role } from '#components/workspace/roles.ts'

export type ListedInvite = {
  id: string
  role: Role
  createdBy: string
  createdAt: string
  expiresAt: string
}

/** An unused invite link. Revoking it needs no confirmation, because an owner can easily create another. */
export function InviteRow({ invite, revoke }: { invite: ListedInvite; revoke: () => Promise<unknown> }) {
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
