'use client'
import { Button } from '#components/ui/button.tsx'
import { Section } from '#components/ui/section.tsx'
import { type ListedSignIn, SignIns } from './sign-ins.tsx'

/** Shows the signed-in user and their sign-ins, with buttons to sign out. */
export function SignOut({
  name,
  leave,
  signIns
}: {
  name: string
  leave: () => Promise<void>
  signIns: readonly ListedSignIn[]
}) {
  return (
    <Section title="Your account" hook="you">
      <form action={leave} className="flex flex-wrap items-center gap-4">
        <p>Signed in as {name}.</p>
        <Button type="submit" data-hook="sign-out">
          Sign out
        </Button>
      </form>
      <SignIns signIns={signIns} />
    </Section>
  )
}
