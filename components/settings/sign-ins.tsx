'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { age, clock } from '#components/browser/format-time.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Button } from '#components/ui/button.tsx'
import { browserName } from './browser-of.ts'

export type ListedSignIn = {
  id: string
  userAgent: string
  createdAt: string
  expiresAt: string
  current: boolean
}

/** Lists the user's own sign-ins, with buttons that end one, all others, or all. */
export function SignIns({ signIns }: { signIns: readonly ListedSignIn[] }) {
  const router = useRouter()
  const [fault, setFault] = useState('')
  const end = async (request: Promise<unknown>) => {
    const reply = await replyTo(request)
    setFault(reply.ok ? '' : changeError(reply))
    router.refresh()
    return reply.ok
  }
  return (
    <>
      <ul aria-label="Your sign-ins" data-hook="sign-ins" className="border-t">
        {signIns.map(signIn => (
          <SignInRow
            key={signIn.id}
            signIn={signIn}
            end={() => end(client.call('endSignIn', { path: { signInId: signIn.id } }))}
          />
        ))}
      </ul>
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
      <div className="flex flex-wrap gap-2">
        {signIns.length < 2 ? null : (
          <Button
            onClick={() => void end(client.call('endSignIns', { query: { others: 'true' } }))}
            data-hook="end-other-sign-ins"
          >
            End other sign-ins
          </Button>
        )}
        <Button
          onClick={async () => {
            if (await end(client.call('endSignIns'))) window.location.assign('/sign-in')
          }}
          data-hook="sign-out-everywhere"
        >
          Sign out everywhere
        </Button>
      </div>
    </>
  )
}

function SignInRow({ signIn, end }: { signIn: ListedSignIn; end: () => Promise<unknown> }) {
  const { userAgent, createdAt, expiresAt, current } = signIn
  const now = useNow()
  const [busy, setBusy] = useState(false)
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
          onClick={async () => {
            setBusy(true)
            await end()
            setBusy(false)
          }}
        >
          End sign-in
        </Button>
      )}
    </li>
  )
}

const ago = (iso: string, now: number) => (age(iso, now) === 'now' ? 'just now' : `${age(iso, now)} ago`)
