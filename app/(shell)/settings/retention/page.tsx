import type { Metadata } from 'next'
import { Retention as Section } from '#components/settings/retention.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { ownWorkspace } from '#lib/auth/workspaces/own-workspace.ts'

export const metadata: Metadata = { title: 'Retention' }

export default async function Retention() {
  const ctx = await requireSignIn()
  return <Section workspace={await ownWorkspace(ctx)} />
}
