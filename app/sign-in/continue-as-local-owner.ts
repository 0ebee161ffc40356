'use server'
import { redirect } from 'next/navigation'
import { AuthError } from 'next-auth'
import { signIn } from '#lib/auth/next-auth.ts'

/**
 * The one click of local mode. It lands in the seeded session `welcome`, where the first prompts are. The way there is
 * a path of ours: next-auth's own redirect would name a host.
 */
export async function continueAsLocalOwner(): Promise<{ fault: string } | undefined> {
  try {
    await signIn('local', { redirect: false })
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    return { fault: 'Local sign-in works from this machine only: open this page at http://localhost.' }
  }
  redirect('/sessions/welcome')
}
