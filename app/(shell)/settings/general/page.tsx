import type { Metadata } from 'next'
import { General as Section } from '#components/settings/general.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { ownWorkspace } from '#lib/auth/workspaces/own-workspace.ts'

export const metadata: Metadata = { title: 'General' }

export default async function General() {
  const ctx = await requireSignIn()
  return <Section workspace={await ownWorkspace(ctx)} />
}
