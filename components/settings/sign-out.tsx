'use client'
import type { Result } from '@waystation/client'
import { client } from '#components/browser/client.ts'
import { clock } from '#components/browser/format-time.ts'
import { useAction } from '#components/browser/use-action.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Button } from '#components/ui/button.tsx'
import { Section } from '#components/ui/section.tsx'
import { ago } from './ago.ts'
import { browserName } from './browser-of.ts'
import { useChange } from './use-change.ts'

type ListedSignIn = Result<'listSignIns'>['signIns'][number]

type SignOutProps = { name: string; leave: () => Promise<void>; signIns: readonly ListedSignIn[] }

/** Shows the signed-in user and their sign-ins, with buttons to sign out. */
export function SignOut({ name, leave, signIns }: SignOutProps) {
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

/** Lists the user's own sign-ins, with buttons that end one, all others, or all. */
function SignIns({ signIns }: { signIns: readonly ListedSignIn[] }) {
  const { change, fault } = useChange()
  return (
    <>
      <ul aria-label="Your sign-ins" data-hook="sign-ins" className="border-t">
        {signIns.map(signIn => (
          <SignInRow
            key={signIn.id}
            signIn={signIn}
            end={() => change(client.call('endSignIn', { path: { signInId: signIn.id } }))}
          />
        ))}
      </ul>
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
      <div className="flex flex-wrap gap-2">
        {signIns.length < 2 ? null : (
          <Button
            onClick={() => void change(client.call('endSignIns', { query: { others: 'true' } }))}
            data-hook="end-other-sign-ins"
          >
            End other sign-ins
          </Button>
        )}
        <Button
          onClick={async () => {
            if (await change(client.call('endSignIns'))) window.location.assign('/sign-in')
          }}
          data-hook="sign-out-everywhere"
        >
          Sign out everywhere
        </Button>
      </div>
    </>
  )
}

function SignInRow({ signIn, end: onEnd }: { signIn: ListedSignIn; end: () => Promise<unknown> }) {
  const { userAgent, createdAt, expiresAt, current } = signIn
  const now = useNow()
  const [end, busy] = useAction(onEnd)
  const browser = browserName(userAgent)
  return (
    <li
      data-current={current}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b py-2"
    >
      <div className="min-w-0">
        <p className="font-semibold">
          {browser}
          {current ? ' (this browser)' : ''}
        </p>
        <p className="text-muted">
          {now === undefined
            ? 'Signed in'
            : `Signed in ${ago(createdAt, now)}, expires ${clock(expiresAt, now)}`}
        </p>
      </div>
      {current ? null : (
        <Button
          disabled={busy}
          aria-label={`End sign-in: ${browser}`}
          data-hook="end-sign-in"
          onClick={() => void end()}
        >
          End sign-in
        </Button>
      )}
    </li>
  )
}
