'use server'
import { redirect } from 'next/navigation'
import { signOut } from '#lib/auth/sign-in/next-auth.ts'

export async function leave(): Promise<void> {
  await signOut({ redirect: false })
  redirect('/sign-in')
}
