import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { SignInPage } from '#components/shell/sign-in-page.tsx'
import { isUnclaimed } from '#lib/auth/sign-in/claim.ts'
import { pathAfterSignIn } from '#lib/auth/sign-in/path-after-sign-in.ts'
import { signInMethods } from '#lib/auth/sign-in/sign-in-methods.ts'
import { signInWith, signOutHere } from '#lib/auth/sign-in/sign-in-with.ts'
import { findReader, guest } from '#lib/auth/sign-in/signed-in.ts'

export const metadata: Metadata = { title: 'Sign in' }

type Asked = Promise<Record<string, string | string[] | undefined>>

export default async function SignIn({ searchParams }: { searchParams: Asked }) {
  const { callbackUrl, error } = await searchParams
  const jar = await cookies()
  const wanted = pathAfterSignIn(
    callbackUrl,
    error === undefined ? () => undefined : name => jar.get(name)?.value
  )
  if ((await findReader()) !== null) redirect(wanted)
  const { local, providers } = signInMethods()
  return (
    <SignInPage
      local={local}
      providers={providers}
      wanted={wanted}
      fault={typeof error === 'string' ? error : undefined}
      stranger={(await guest()) ?? undefined}
      unclaimed={await isUnclaimed()}
      signIn={signInWith}
      signOut={signOutHere}
    />
  )
}
