'use server'
import { redirect } from 'next/navigation'
import { AuthError } from 'next-auth'
import { signIn } from '#lib/auth/next-auth.ts'
import { localWay } from '#lib/auth/wanted-path.ts'

/**
 * The one click of local mode. It leads where its link pointed, or to the seeded session `welcome`, where the first prompts
 * are. The way there is a path of ours: next-auth's own redirect would name a host.
 */
export async function continueAsLocalOwner(
  _before: unknown,
  form: FormData
): Promise<{ fault: string } | undefined> {
  try {
    await signIn('local', { redirect: false })
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    return { fault: 'Local sign-in works from this machine only: open this page at http://localhost.' }
  }
  redirect(localWay(form.get('wanted')))
}
