import type { Metadata } from 'next'
import { Tools as Section } from '#components/settings/tools.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { ownWorkspace } from '#lib/auth/workspaces/own-workspace.ts'

export const metadata: Metadata = { title: 'Limits' }

export default async function Tools() {
  const ctx = await requireSignIn()
  return <Section workspace={await ownWorkspace(ctx)} />
}
