'use client'
import { useState } from 'react'
import { age } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Button } from '#components/ui/button.tsx'
import { ConfirmButtons } from '#components/ui/confirm.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Select } from '#components/ui/select.tsx'
import { type Role, roles } from '#components/workspace/roles.ts'

export type ListedMember = {
  userId: string
  name: string
  role: Role
  joinedAt: string
  account?: { provider: string; label: string }
}

type MemberRowProps = {
  member: ListedMember
  isMe: boolean
  mayOwn: boolean
  /** True if no other user could be the owner. The member then cannot leave, and the role cannot change. */
  alone: boolean
  setRole: (role: Role) => Promise<unknown>
  remove: () => Promise<unknown>
}

/** A member in the list. Removing a member needs confirmation. */
export function MemberRow({ member, isMe, mayOwn, alone, setRole, remove }: MemberRowProps) {
  const now = useNow()
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const { name, role, joinedAt, account } = member
  const known = account === undefined ? '' : ` · ${account.label} (${account.provider})`
  const since = now === undefined ? '' : age(joinedAt, now)
  const change = async (next: Role) => {
    setBusy(true)
    await setRole(next)
    setBusy(false)
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b py-2">
      <span
        aria-hidden="true"
        className="flex size-8 shrink-0 items-center justify-center rounded-full border border-rail text-muted"
      >
        {initialsOf(name)}
      </span>
      <div className="min-w-0 flex-1 basis-44">
        <p className="font-semibold [overflow-wrap:anywhere]">
          {name}
          {isMe ? ' (you)' : ''}
        </p>
        <p className="text-muted [overflow-wrap:anywhere]">
          {mayOwn && !alone ? '' : `${role} · `}
          joined {since === 'now' ? 'just now' : since && `${since} ago`}
          {known}
        </p>
      </div>
      {!alone && (mayOwn || isMe) ? (
        <div className="flex basis-full gap-2 pl-12 mid:basis-auto mid:pl-0">
          {mayOwn ? (
            <Select
              aria-label={`Role of ${name}`}
              data-hook="member-role"
              value={role}
              disabled={busy}
              onChange={next => void change(next)}
              options={roles.map(({ value }) => value)}
              className="w-28"
            />
          ) : null}
          <Button
            onClick={() => setAsked(true)}
            aria-label={isMe ? undefined : `Remove ${name}…`}
            data-hook={isMe ? 'leave-workspace' : 'remove-member'}
            className="mid:w-24"
          >
            {isMe ? 'Leave…' : 'Remove…'}
          </Button>
        </div>
      ) : null}
      <Dialog
        open={asked}
        onOpenChange={setAsked}
        title={isMe ? 'Leave this workspace?' : `Remove ${name}?`}
        description={
          isMe
            ? 'You lose access immediately. To come back, you need a new invite link.'
            : 'They lose access at once, and open pages stop updating within seconds. Their messages stay. API keys that they know still work, so revoke those too.'
        }
      >
        <ConfirmButtons
          act={isMe ? 'Leave workspace' : 'Remove member'}
          onAct={() => void remove().then(() => setAsked(false))}
          onKeep={() => setAsked(false)}
        />
      </Dialog>
    </li>
  )
}

/** Returns up to two initials: of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(word => /^[\p{L}\p{N}]/u.test(word))
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map(word => [...(word ?? '')][0]?.toUpperCase() ?? '').join('') || '?'
}
