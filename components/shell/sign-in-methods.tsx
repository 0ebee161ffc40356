'use client'
import { useFormStatus } from 'react-dom'
import { Button } from '#components/ui/button.tsx'
import { HiddenInput } from '#components/ui/input.tsx'

/** A sign-in provider. */
export type Way = { provider: string; name: string }
/** A server action for a form that signs the user in or out. */
export type Act = (form: FormData) => Promise<void>

/** One button for each sign-in provider. `wanted` is the path that opens after sign-in. */
export function WaysIn({
  providers,
  wanted,
  signIn
}: {
  providers: readonly Way[]
  wanted: string
  signIn: Act
}) {
  return (
    <ul aria-label="Ways to sign in" className="flex flex-col items-start gap-3">
      {providers.map(({ provider, name }, index) => (
        <li key={provider} className="max-w-full">
          <form action={signIn}>
            <HiddenInput name="provider" value={provider} />
            <HiddenInput name="callbackUrl" value={wanted} />
            <Submit
              hook={`continue-with-${provider}`}
              primary={index === 0}
            >{`Continue with ${name}`}</Submit>
          </form>
        </li>
      ))}
    </ul>
  )
}

/** Shows who is signed in, with a button to use another account. */
export function OtherAccount({
  name,
  account,
  wanted,
  signOut
}: {
  name: string
  account: string | undefined
  wanted: string
  signOut: Act
}) {
  return (
    <form action={signOut} className="flex flex-col items-start gap-2">
      <HiddenInput name="callbackUrl" value={wanted} />
      <p data-hook="signed-in-as" className="text-muted [overflow-wrap:anywhere]">
        Signed in as {name}
        {account === undefined || account === name ? '' : ` (${account})`}.
      </p>
      <Submit hook="use-another-account">Use another account</Submit>
    </form>
  )
}

function Submit({ hook, primary = false, children }: { hook: string; primary?: boolean; children: string }) {
  const { pending } = useFormStatus()
  return (
    <Button
      type="submit"
      tone={primary ? 'primary' : 'plain'}
      disabled={pending}
      data-hook={hook}
      className="max-w-full shrink"
    >
      <span className="truncate">{children}</span>
    </Button>
  )
}
