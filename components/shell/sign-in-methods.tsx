'use client'
import { useFormStatus } from 'react-dom'
import { Button } from '#components/ui/button.tsx'
import { HiddenInput } from '#components/ui/input.tsx'

/** The sign-in providers, and the server actions of the forms that sign the user in and out. */
export type SignInMethods = {
  providers: readonly { provider: string; name: string }[]
  signIn: (form: FormData) => Promise<void>
  signOut: (form: FormData) => Promise<void>
}

type WaysInProps = Pick<SignInMethods, 'providers' | 'signIn'> & { wanted: string }

/** One button for each sign-in provider. `wanted` is the path that opens after sign-in. */
export function WaysIn({ providers, wanted, signIn }: WaysInProps) {
  return (
    <ul aria-label="Ways to sign in" className="flex flex-col items-start gap-3">
      {providers.map(({ provider, name }, index) => (
        <li key={provider} className="max-w-full">
          <form action={signIn}>
            <HiddenInput name="provider" value={provider} />
            <HiddenInput name="callbackUrl" value={wanted} />
            <Submit hook={`continue-with-${provider}`} tone={index === 0 ? 'primary' : 'plain'}>
              {`Continue with ${name}`}
            </Submit>
          </form>
        </li>
      ))}
    </ul>
  )
}

/** A signed-in user of a provider. */
export type Guest = { name: string; account?: string }

type OtherAccountProps = Guest & Pick<SignInMethods, 'signOut'> & { wanted: string }

/** Shows who is signed in, with a button to use another account. */
export function OtherAccount({ name, account, wanted, signOut }: OtherAccountProps) {
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

type SubmitProps = { hook: string; tone?: 'primary' | 'plain'; children: string }

/** The button of a form. A long label is cut off. */
export function Submit({ hook, tone, children }: SubmitProps) {
  const { pending } = useFormStatus()
  return (
    <Button type="submit" tone={tone} disabled={pending} data-hook={hook} className="max-w-full shrink">
      <span className="truncate">{children}</span>
    </Button>
  )
}
