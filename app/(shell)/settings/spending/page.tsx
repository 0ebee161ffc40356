import type { Metadata } from 'next'
import { Spending as Section } from '#components/settings/spending.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { ownWorkspace } from '#lib/auth/workspaces/own-workspace.ts'

export const metadata: Metadata = { title: 'Spending' }

export default async function Spending() {
  const ctx = await requireSignIn()
  return <Section workspace={await ownWorkspace(ctx)} />
}
