'use server'
import { redirect } from 'next/navigation'
import { signOut } from './next-auth.ts'

/** Signs the user out of this browser and opens the sign-in page. */
export async function leave(): Promise<void> {
  await signOut({ redirect: false })
  redirect('/sign-in')
}
