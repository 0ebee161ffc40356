import type { Metadata } from 'next'
import { People as Section } from '#components/settings/people.tsx'
import { listInvites } from '#lib/auth/members/list-invites.ts'
import { listMembers } from '#lib/auth/members/list-members.ts'
import { signInMethods } from '#lib/auth/sign-in/sign-in-methods.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { permissionsOf } from '#lib/auth/workspaces/permissions.ts'

export const metadata: Metadata = { title: 'People' }

export default async function People() {
  const ctx = await requireSignIn()
  const { mayOwn } = permissionsOf(ctx.actor)
  const me = ctx.actor.kind === 'person' ? ctx.actor.userId : undefined
  const [{ members }, invites] = await Promise.all([
    listMembers(ctx, {}),
    mayOwn && signInMethods().providers.length > 0 ? listInvites(ctx, {}) : undefined
  ])
  return (
    <Section
      members={members}
      me={me}
      mayOwn={mayOwn}
      invites={invites?.invites}
      callbackUrl={`${ctx.ports.origin}/api/auth/callback`}
    />
  )
}
