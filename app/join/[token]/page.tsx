import type { Metadata } from 'next'
import { JoinPage } from '#components/shell/join-page.tsx'
import { getInvitation } from '#lib/auth/members/join.ts'
import { signInMethods } from '#lib/auth/sign-in/sign-in-methods.ts'
import { signInWith, signOutHere } from '#lib/auth/sign-in/sign-in-with.ts'
import { guest } from '#lib/auth/sign-in/signed-in.ts'

export const metadata: Metadata = { title: 'Invitation' }

/** Shows an invite link. Opening the page does not use the link, because link previews open it too. */
export default async function Join({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params
  const person = await guest()
  const offer = await getInvitation(token, person?.userId ?? null)
  return (
    <JoinPage
      offer={offer}
      person={person ?? undefined}
      path={`/join/${encodeURIComponent(token)}`}
      providers={signInMethods().providers}
      signIn={signInWith}
      signOut={signOutHere}
    />
  )
}
