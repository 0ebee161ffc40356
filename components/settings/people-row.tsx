import type { Result } from '@waystation/client'
import { useState } from 'react'
import { useNow } from '#components/browser/use-now.ts'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { Select } from '#components/ui/select.tsx'
import { type Role, roleName, roles } from '#components/workspace/roles.ts'
import { Row } from '#components/workspace/rows.tsx'
import { Tile } from '#components/workspace/tile.tsx'
import { ago } from './ago.ts'

export type ListedMember = Result<'listMembers'>['members'][number]

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
  const [busy, setBusy] = useState(false)
  const { name, role, joinedAt, account } = member
  const known = account === undefined ? '' : ` · ${account.label} (${account.provider})`
  const change = async (next: Role) => {
    setBusy(true)
    await setRole(next)
    setBusy(false)
  }
  return (
    <Row
      mark={<Tile name={name} round />}
      name={`${name}${isMe ? ' (you)' : ''}`}
      about={`${mayOwn && !alone ? '' : `${roleName(role)} · `}joined ${ago(joinedAt, now)}${known}`}
      actions={
        !alone && (mayOwn || isMe) ? (
          <>
            {mayOwn ? (
              <Select
                aria-label={`Role of ${name}`}
                data-hook="member-role"
                value={role}
                disabled={busy}
                onChange={next => void change(next)}
                options={roles}
                className="w-28"
              />
            ) : null}
            <ConfirmButton
              aria-label={isMe ? undefined : `Remove ${name}…`}
              data-hook={isMe ? 'leave-workspace' : 'remove-member'}
              className="mid:w-24"
              title={isMe ? 'Leave this workspace?' : `Remove ${name}?`}
              description={
                isMe
                  ? 'You lose access immediately. To come back, you need a new invite link.'
                  : 'They lose access at once, and open pages stop updating within seconds. Their messages stay. API keys that they know still work, so revoke those too.'
              }
              act={isMe ? 'Leave workspace' : 'Remove member'}
              onAct={remove}
            >
              {isMe ? 'Leave…' : 'Remove…'}
            </ConfirmButton>
          </>
        ) : undefined
      }
    />
  )
}
