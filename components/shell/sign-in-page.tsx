'use client'
import { useActionState } from 'react'
import { Button } from '#components/ui/button.tsx'

type SignIn = () => Promise<{ fault: string } | undefined>

/** The door: what this is, and one button. `local` is absent when nobody may come in with a click. */
export function SignInPage({ local }: { local: SignIn | undefined }) {
  return (
    <main className="flex min-h-dvh items-center px-6 mid:px-[20vw]">
      <div className="relative flex max-w-[44ch] flex-col gap-6 py-12 pl-10">
        <Rail />
        <div>
          <h1 className="text-title font-semibold">Waystation</h1>
          <p className="mt-1 font-serif text-agent">
            Agents that wait: for you, for an account, for another system. Close the tab; they go on exactly
            where they stopped.
          </p>
        </div>
        {local === undefined ? (
          <p>
            No way to sign in is set up here. Set <code className="font-mono text-mono">AUTH_GITHUB_ID</code>{' '}
            and <code className="font-mono text-mono">AUTH_GITHUB_SECRET</code>, or use the API with a key.
          </p>
        ) : (
          <LocalOwner signIn={local} />
        )}
      </div>
    </main>
  )
}

function LocalOwner({ signIn }: { signIn: SignIn }) {
  const [answer, submit, busy] = useActionState(signIn, undefined)
  return (
    <form action={submit} className="flex flex-col items-start gap-2">
      <Button type="submit" tone="primary" disabled={busy}>
        Continue as local owner
      </Button>
      <p className="text-muted">Local mode: only this machine can open this page.</p>
      <p role="alert" className="text-fail empty:hidden">
        {answer?.fault}
      </p>
    </form>
  )
}

/** The line that everything hangs on, with the ring of something that waits. */
const Rail = () => (
  <div aria-hidden="true" className="absolute inset-y-0 left-0 w-3">
    <div className="absolute inset-y-0 left-[5px] w-0.5 bg-rail" />
    <div className="absolute top-14 size-3 rounded-full border-2 border-you bg-ground" />
  </div>
)
