'use server'
import { redirect } from 'next/navigation'
import { runtime } from '#lib/kernel/runtime.ts'
import { signIn, signOut } from './next-auth.ts'
import { toLocalPath } from './to-local-path.ts'

/**
 * Redirects the browser to the provider in its form. The provider sends it back to `callbackUrl`, a path of this
 * server.
 */
export async function signInWith(form: FormData): Promise<void> {
  const { env, ports } = runtime()
  const provider = env.signIn.find(({ provider }) => provider === form.get('provider'))
  if (provider === undefined) redirect('/sign-in')
  const redirectTo = toLocalPath(form.get('callbackUrl'), ports.origin)
  redirect(String(await signIn(provider.provider, { redirect: false, redirectTo })))
}

/** Signs out and shows the sign-in page. Afterwards, the user returns to the page in the form. */
export async function signOutHere(form: FormData): Promise<void> {
  const back = toLocalPath(form.get('callbackUrl'), runtime().ports.origin)
  await signOut({ redirect: false })
  redirect(back === '/sessions' ? '/sign-in' : back)
}
