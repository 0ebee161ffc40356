import type { Metadata } from 'next'
import { Signals as Section } from '#components/settings/signals.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { ownWorkspace } from '#lib/auth/workspaces/own-workspace.ts'

export const metadata: Metadata = { title: 'Signals' }

export default async function Signals() {
  const ctx = await requireSignIn()
  return <Section workspace={await ownWorkspace(ctx)} />
}
