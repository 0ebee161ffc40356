'use client'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { Fault } from '#components/ui/fault.tsx'
import type { Role } from '#components/workspace/roles.ts'
import { Rows } from '#components/workspace/rows.tsx'
import { ShownOnce } from '#components/workspace/shown-once.tsx'
import { InviteDialog, type ListedInvite, OpenInvites } from './people-invite.tsx'
import { type ListedMember, MemberRow } from './people-row.tsx'
import { SettingSection } from './setting-section.tsx'
import { SignInSetup } from './sign-in-setup.tsx'
import { useChange } from './use-change.ts'

type PeopleProps = {
  members: readonly ListedMember[]
  /** The ID of the current user. Undefined if the caller is not a person. */
  me: string | undefined
  mayOwn: boolean
  /** The unused invite links. Undefined if the user is not an owner, or if no other user can sign in. */
  invites: readonly ListedInvite[] | undefined
  /** The URL that sign-in providers call, without their name. */
  callbackUrl: string
}

/**
 * Lists the members of the workspace. All members can leave. Owners can invite people, change roles and
 * remove members.
 */
export function People({ members, me, mayOwn, invites, callbackUrl }: PeopleProps) {
  const { change, fault } = useChange()
  const [said, setSaid] = useState('')
  const [url, setUrl] = useState<string>()

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
    <>
      <SettingSection
        title="People"
        hook="people"
        intro={mayOwn ? undefined : 'You can view members. Only owners can invite people and change roles.'}
        action={invites === undefined ? null : <InviteDialog onCreated={setUrl} />}
      >
        {url === undefined ? null : <ShownOnce what="link" secret={url} close={() => setUrl(undefined)} />}
        <Fault data-hook="people-error">{fault}</Fault>
        <p role="status" data-hook="people-outcome" className="text-muted empty:hidden">
          {said}
        </p>
        <Rows aria-label="Members" data-hook="members">
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
        </Rows>
        {invites === undefined || invites.length === 0 ? null : (
          <OpenInvites
            invites={invites}
            revoke={inviteId =>
              changeAndSay(
                client.call('revokeInvite', { path: { inviteId } }),
                'The invite link no longer works.'
              )
            }
          />
        )}
      </SettingSection>
      {mayOwn && invites === undefined ? <SignInSetup callbackUrl={callbackUrl} /> : null}
    </>
  )
}
