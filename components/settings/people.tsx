'use client'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { Section } from '#components/ui/section.tsx'
import type { Role } from '#components/workspace/roles.ts'
import { type ListedInvite, PeopleInvite } from './people-invite.tsx'
import { type ListedMember, MemberRow } from './people-row.tsx'
import { useChange } from './use-change.ts'

type PeopleProps = {
  members: readonly ListedMember[]
  /** The ID of the current user. Undefined if the caller is not a person. */
  me: string | undefined
  mayOwn: boolean
  /** The unused invite links. Undefined if the user is not an owner, or if no other user can sign in. */
  invites: readonly ListedInvite[] | undefined
}

/**
 * Lists the members of the workspace. All members can leave. Owners can invite people, change roles and
 * remove members.
 */
export function People({ members, me, mayOwn, invites }: PeopleProps) {
  const { change, fault } = useChange()
  const [said, setSaid] = useState('')

  const changeAndSay = async (request: Promise<unknown>, done: string) => {
    setSaid('')
    const isDone = await change(request)
    if (isDone) setSaid(done)
    return isDone
  }
  const setRole = ({ userId, name }: ListedMember, role: Role) =>
    changeAndSay(client.call('changeRole', { path: { userId }, body: { role } }), `${name} is now ${role}.`)
  const remove = async ({ userId, name }: ListedMember) => {
    const isMe = userId === me
    const gone = await changeAndSay(
      client.call('removeMember', { path: { userId } }),
      isMe ? 'You left the workspace.' : `${name} was removed.`
    )
    if (gone && isMe) window.location.assign('/')
  }

  return (
    <Section title="People" hook="people">
      <ul aria-label="Members" data-hook="members" className="-mt-3">
        {members.map(member => (
          <MemberRow
            key={member.userId}
            member={member}
            isMe={member.userId === me}
            mayOwn={mayOwn}
            alone={members.length === 1 && invites === undefined}
            setRole={role => setRole(member, role)}
            remove={() => remove(member)}
          />
        ))}
      </ul>
      <p role="alert" data-hook="people-error" className="text-fail empty:hidden">
        {fault}
      </p>
      <p role="status" data-hook="people-outcome" className="text-muted empty:hidden">
        {said}
      </p>
      {mayOwn ? null : (
        <p className="text-muted">You can view members. Only owners can invite people and change roles.</p>
      )}
      {mayOwn && invites === undefined ? (
        <p className="max-w-[68ch] text-muted">
          In local mode, only you can sign in. To let others sign in, set up GitHub or an OpenID Connect
          provider (docs/people.md). When the first person signs in as owner, your sessions, agents, keys and
          connected accounts move to them.
        </p>
      ) : null}
      {invites === undefined ? null : (
        <PeopleInvite
          invites={invites}
          revoke={inviteId =>
            changeAndSay(
              client.call('revokeInvite', { path: { inviteId } }),
              'The invite link no longer works.'
            )
          }
        />
      )}
    </Section>
  )
}
