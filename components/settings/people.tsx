'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { Section } from '#components/ui/section.tsx'
import type { Role } from '#components/workspace/roles.ts'
import { PeopleInvite } from './people-invite.tsx'
import { InviteRow, type ListedInvite } from './people-invite-row.tsx'
import { type ListedMember, MemberRow } from './people-row.tsx'

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
  const router = useRouter()
  const [fault, setFault] = useState('')
  const [said, setSaid] = useState('')

  const change = async (request: Promise<unknown>, done: string) => {
    setSaid('')
    const reply = await replyTo(request)
    setFault(reply.ok ? '' : changeError(reply))
    if (reply.ok) setSaid(done)
    router.refresh()
    return reply.ok
  }
  const setRole = ({ userId, name }: ListedMember, role: Role) =>
    change(client.call('changeRole', { path: { userId }, body: { role } }), `${name} is now ${role}.`)
  const remove = async ({ userId, name }: ListedMember) => {
    const isMe = userId === me
    const gone = await change(
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
        <>
          <PeopleInvite />
          {invites.length === 0 ? null : (
            <ul aria-label="Open invite links" data-hook="invites" className="border-t">
              {invites.map(invite => (
                <InviteRow
                  key={invite.id}
                  invite={invite}
                  revoke={() =>
                    change(
                      client.call('revokeInvite', { path: { inviteId: invite.id } }),
                      'The invite link no longer works.'
                    )
                  }
                />
              ))}
            </ul>
          )}
        </>
      )}
    </Section>
  )
}
