import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { SignInPage } from '#components/shell/sign-in-page.tsx'
import { visitor } from '#lib/auth/signed-in.ts'
import { waysIn } from '#lib/auth/ways-in.ts'
import { continueAsLocalOwner } from './continue-as-local-owner.ts'

export const metadata: Metadata = { title: 'Sign in' }

export default async function SignIn() {
  if ((await visitor()) !== null) redirect('/sessions')
  return <SignInPage local={waysIn().local ? continueAsLocalOwner : undefined} />
}
