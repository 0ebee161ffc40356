import { redirect } from 'next/navigation'
import { signedIn } from '#lib/auth/sign-in/signed-in.ts'

export default async function Home() {
  await signedIn()
  redirect('/sessions')
}
