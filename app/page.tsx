import { redirect } from 'next/navigation'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'

export default async function Home() {
  await requireSignIn()
  redirect('/sessions')
}
