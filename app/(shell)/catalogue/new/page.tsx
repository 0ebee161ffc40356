import type { Metadata } from 'next'
import { NewEntryPage } from '#components/agents/new-entry-page.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'

export const metadata: Metadata = { title: 'New entry' }

export default async function NewEntry() {
  await requireSignIn()
  return <NewEntryPage />
}
