'use server'
import { redirect } from 'next/navigation'
import { runtime } from '#lib/kernel/runtime.ts'
import { signIn, signOut } from './next-auth.ts'
import { pathOfOurs } from './path-of-ours.ts'

/** Sends a browser to the provider that its form names, and afterwards back to `callbackUrl`, a path of ours. */
export async function signInWith(form: FormData): Promise<void> {
  const { env, ports } = runtime()
  const way = env.signIn.find(({ provider }) => provider === form.get('provider'))
  if (way === undefined) redirect('/sign-in')
  const redirectTo = pathOfOurs(form.get('callbackUrl'), ports.origin)
  redirect(String(await signIn(way.provider, { redirect: false, redirectTo })))
}

/** Signs out, and shows the ways in again on the page that its form names. */
export async function signOutHere(form: FormData): Promise<void> {
  const back = pathOfOurs(form.get('callbackUrl'), runtime().ports.origin)
  await signOut({ redirect: false })
  redirect(back === '/sessions' ? '/sign-in' : back)
}
