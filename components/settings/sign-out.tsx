'use client'
import { Button } from '#components/ui/button.tsx'
import { Section } from './section.tsx'

/** Who is signed in, and the way out. */
export function SignOut({ name, leave }: { name: string; leave: () => Promise<void> }) {
  return (
    <Section title="You" hook="you">
      <form action={leave} className="flex flex-wrap items-center gap-4">
        <p>Signed in as {name}.</p>
        <Button type="submit" data-hook="sign-out">
          Sign out
        </Button>
      </form>
    </Section>
  )
}
