'use client'
import { useActionState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Door } from './door.tsx'
import { type Act, OtherAccount, type Way, WaysIn } from './ways-in.tsx'

type LocalSignIn = (before: unknown, form: FormData) => Promise<{ fault: string } | undefined>

type SignInProps = {
  /** Absent when nobody may come in with a click. */
  local: LocalSignIn | undefined
  providers: readonly Way[]
  /** The path to go to then. */
  wanted: string
  /** Why the last try failed: a word of `lib/auth/sign-in-fault.ts`, or anything that somebody wrote there. */
  fault: string | undefined
  /** Somebody who has signed in and belongs to nothing here. */
  stranger: { name: string; account?: string } | undefined
  /** Nobody owns this server yet. */
  unclaimed: boolean
  signIn: Act
  signOut: Act
}

const sentences: Record<string, string> = {
  denied: 'You were not signed in: it was declined there, by you or for you. Nothing has changed here.',
  stale:
    'That sign-in was not the one this browser began, or it took too long. Nothing is wrong with your account: try again.'
}
const misconfigured =
  'Signing in did not work because of how this server, or the provider, is set up. Whoever runs it finds the reason in its log.'

/** The door: what this is, why nobody came in if somebody tried, and one button for each way. */
export function SignInPage(props: SignInProps) {
  const { local, providers, wanted, fault, stranger, unclaimed, signIn, signOut } = props
  return (
    <Door title="Waystation">
      <p className="-mt-5 font-serif text-agent">
        Agents that wait: for you, for an account, for another system. Close the tab; they go on exactly where
        they stopped.
      </p>
      {fault === undefined || stranger !== undefined ? null : (
        <p role="alert" data-hook="sign-in-error" data-error={fault} className="text-fail">
          {sentences[fault] ?? misconfigured}
        </p>
      )}
      {stranger === undefined ? null : (
        <div role="alert" data-hook="not-a-member" className="flex flex-col gap-2">
          <p className="font-semibold">You are not a member of any workspace here.</p>
          <p>
            {unclaimed
              ? 'Nobody is, yet: the first owner opens the link that the server printed when it started.'
              : 'Ask one of its owners for an invite link, and open it in this browser.'}
          </p>
        </div>
      )}
      {stranger !== undefined ? (
        <OtherAccount name={stranger.name} account={stranger.account} wanted={wanted} signOut={signOut} />
      ) : local !== undefined ? (
        <LocalOwner signIn={local} wanted={wanted} />
      ) : providers.length > 0 ? (
        <WaysIn providers={providers} wanted={wanted} signIn={signIn} />
      ) : (
        <p>
          No way to sign in is set up here. Set <code className="font-mono text-mono">AUTH_GITHUB_ID</code>{' '}
          and <code className="font-mono text-mono">AUTH_GITHUB_SECRET</code>, or any OpenID Connect provider
          (docs/people.md), or use the API with a key.
        </p>
      )}
      {unclaimed && stranger === undefined ? (
        <p className="text-muted">
          Nobody owns this server yet. Its first owner opens the link that it printed when it started.
        </p>
      ) : null}
    </Door>
  )
}

function LocalOwner({ signIn, wanted }: { signIn: LocalSignIn; wanted: string }) {
  const [answer, submit, busy] = useActionState(signIn, undefined)
  return (
    <form action={submit} className="flex flex-col items-start gap-2">
      <input type="hidden" name="wanted" value={wanted} />
      <Button type="submit" tone="primary" disabled={busy} data-hook="continue-as-local-owner">
        Continue as local owner
      </Button>
      <p className="text-muted">Local mode: only this machine can open this page.</p>
      <p role="alert" className="text-fail empty:hidden">
        {answer?.fault}
      </p>
    </form>
  )
}
